"""The executable reference specification of the Model Context Protocol, revision 2026-07-28."""

from typing import Final

__version__: Final = "0.1.0"
REVISION: Final = "2026-07-28"
VECTOR_SET: Final = "0.1.0"
