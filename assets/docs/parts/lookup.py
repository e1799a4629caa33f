"""Where names in signatures lead: most, as `float`, lead nowhere, and Sphinx went through all names
for each.
"""

from sphinx.application import Sphinx
from sphinx.domains.python import ObjectEntry, PythonDomain
from sphinx.environment import BuildEnvironment

__all__ = ["setup"]


class Lookup(PythonDomain):
    """Python's names, which knows at once that none ends so."""

    ends: frozenset[str] = frozenset()
    told = 0  # how many names they are the ends of

    def find_obj(
        self,
        env: BuildEnvironment,
        modname: str,
        classname: str,
        name: str,
        type: str | None,
        searchmode: int = 0,
    ) -> list[tuple[str, ObjectEntry]]:
        """What Sphinx finds, if there is anything to find."""
        if self.told != len(self.objects):
            self.ends, self.told = (
                frozenset(full.rpartition(".")[2] for full in self.objects),
                len(self.objects),
            )
        if name.removesuffix("()").rpartition(".")[2] not in self.ends:
            return []
        return super().find_obj(env, modname, classname, name, type, searchmode)


def setup(app: Sphinx) -> None:
    """Take part in a build."""
    app.add_domain(Lookup, override=True)
