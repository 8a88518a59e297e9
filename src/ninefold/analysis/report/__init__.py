"""The referee's report: how well each agent played, and how honestly it refereed."""
