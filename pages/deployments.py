"""Deployments: what others promise, in right guesses of an attacker."""

from dpviz import web
from dpviz.web.screens import deployments

web.set_up_page_without_scenario("deployments")
deployments.show_page(web.current_look())
