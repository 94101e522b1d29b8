"""The scripts of completion, one function for each shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wbridge.completion import Command, Option, commands

INSTALLATION = {
    "bash": "wbridge completion bash > ~/.local/share/bash-completion/completions/wbridge",
    "zsh": 'wbridge completion zsh > "${fpath[1]}/_wbridge"',
    "fish": "wbridge completion fish > ~/.config/fish/completions/wbridge.fish",
}
"""The command that installs each script for the user."""


def _bash() -> str:
    known = commands()
    cases = "\n".join(
        f'    "{" ".join(command.words)}") '
        f'words="{" ".join([*command.actions, *_arguments(command), *_names(command)])}" ;;'
        for command in known
    )
    values = "\n".join(
        f'    "{" ".join(command.words)} {name}") values="{" ".join(option.values)}" ;;'
        for command in known
        for option in command.options
        for name in option.names
        if option.values
    )
    taking = " ".join(sorted({name for command in known for name in _taking(command)}))
    verbs = " ".join(command.words[0] for command in known if len(command.words) == 1)
    acting = "|".join(command.words[0] for command in known if command.actions)
    return f"""# Completion of wbridge for bash
_wbridge() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}"
  local command="${{COMP_WORDS[1]}}" words="" values=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{verbs} --help --version" -- "$current"))
    return
  fi
  case "$command" in
    {acting}) [ "$COMP_CWORD" -gt 2 ] && command="$command ${{COMP_WORDS[2]}}" ;;
  esac
  case "$command $previous" in
{values}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case " {taking} " in
    *" $previous "*) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$command" in
{cases}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current" | grep -v "^-") $(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _wbridge wbridge"""


def _zsh() -> str:
    known = commands()
    verbs = "\n".join(
        f"    '{command.words[0]}:{command.help}'" for command in known if len(command.words) == 1
    )
    cases = "\n".join(_zsh_case(command) for command in known)
    acting = "|".join(command.words[0] for command in known if command.actions)
    return f"""#compdef wbridge
# Completion of wbridge for zsh
_wbridge() {{
  local -a verbs
  verbs=(
{verbs}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' verbs
    return
  fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
    {acting})
      if (( CURRENT > 2 )); then
        command="$command $words[2]"
        shift words; (( CURRENT-- ))
      fi ;;
  esac
  case "$command" in
{cases}
  esac
}}
_wbridge "$@\""""


def _zsh_case(command: Command) -> str:
    if command.actions:
        return f"    '{' '.join(command.words)}') compadd {' '.join(command.actions)} ;;"
    specs = [_zsh_spec(option, name) for option in command.options for name in option.names]
    values = f"({' '.join(_arguments(command))})"
    lines = " \\\n        ".join([*specs, "'*:file:_files'" if values == "()" else f"'1:value:{values}'"])
    return f"    '{' '.join(command.words)}') _arguments \\\n        {lines} ;;"


def _zsh_spec(option: Option, name: str) -> str:
    if not option.takes_value:
        return f"'{name}[{option.help}]'"
    values = f"({' '.join(option.values)})" if option.values else "_files"
    return f"'*{name}[{option.help}]:value:{values}'"


def _fish() -> str:
    lines = ["# Completion of wbridge for fish"]
    for command in commands():
        seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.words)
        if len(command.words) == 1:
            lines.append(
                f"complete -c wbridge -f -n __fish_use_subcommand -a {command.words[0]} -d '{command.help}'"
            )
        else:
            parent = f"__fish_seen_subcommand_from {command.words[0]}"
            lines.append(f"complete -c wbridge -f -n '{parent}' -a {command.words[1]} -d '{command.help}'")
        if values := " ".join(_arguments(command)):
            lines.append(f"complete -c wbridge -n '{seen}' -a '{values}'")
        lines += [f"complete -c wbridge -n '{seen}' {_fish_option(option)}" for option in _named(command)]
    return "\n".join(lines)


def _fish_option(option: Option) -> str:
    parts = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    if option.values:
        parts.append(f"-x -a '{' '.join(option.values)}'")
    elif option.takes_value:
        parts.append("-r")
    return " ".join([*parts, f"-d '{option.help}'"])


def _named(command: Command) -> list[Option]:
    return [option for option in command.options if option.names]


def _arguments(command: Command) -> Iterable[str]:
    return (value for option in command.options if not option.names for value in option.values)


def _names(command: Command) -> Iterable[str]:
    return (name for option in _named(command) for name in option.names)


def _taking(command: Command) -> Iterable[str]:
    return (name for option in _named(command) if option.takes_value for name in option.names)


SCRIPTS: dict[str, Callable[[], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""Return the script for each shell."""
