"""The mechanisms of one item as they are held against each other, noisy max with each of its usual noises.

An entry is a description at some ε and δ: `replace` puts those wanted.
Sources: Chaudhuri, Hsu & Song 2014, Sec 2.2; McSherry & Talwar 2007; Bhaskar et al. 2010; Smith & Thakurta 2013.
"""

from dpviz.base.registry import Registry
from dpviz.margin.instability import DistanceToInstability
from dpviz.margin.large_margin import LargeMargin
from dpviz.margin.noisy_max import NoisyMax
from dpviz.margin.one_item import TOP_ONE, TopOneMechanism

COMPARED: Registry[TopOneMechanism] = Registry("mechanism")
COMPARED.add("large_margin", LargeMargin(epsilon=1.0), label="Large margin", says=TOP_ONE.says("large_margin"))
COMPARED.add(
    "gumbel",
    NoisyMax(epsilon=1.0, noise="gumbel"),
    label="Exponential mechanism",
    says="Noisy max with Gumbel noise. Take it first; it needs no δ.",
)
COMPARED.add(
    "laplace",
    NoisyMax(epsilon=1.0, noise="laplace"),
    label="Max of Laplaces",
    says="Noisy max with Laplace noise. Take it to compare: with many items it does much the same. It needs no δ.",
)
COMPARED.add(
    "instability", DistanceToInstability(epsilon=1.0), label="Instability test", says=TOP_ONE.says("instability")
)
