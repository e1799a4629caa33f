"""What one person's data changes: neighbouring scores and the loss between two worlds.

Read `neighbours` first.
"""
