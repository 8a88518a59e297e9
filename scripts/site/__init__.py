"""The documentation site: ``make docs`` stages its pages, renders them with Zensical, and checks the result."""
