"""Lets `python -m spec_model.cli` stand for `mcp-spec`."""

import sys

from spec_model.cli import main

sys.exit(main())
