"""The parsers of the commands, by groups of commands. ``cli.parser`` puts them together."""
