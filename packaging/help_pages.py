#!/usr/bin/env python3
"""Makes the manual page and the shell completions from what the program says about itself.

usage: help_pages.py FOLDER CHANGELOG PROGRAM...
PROGRAM may be an emulator with its options and the program. Writes FOLDER/<name>.1 and, for a
program with commands, FOLDER/<name>.bash, _<name> (zsh) and <name>.fish. The hand-written parts are
in manual/<name>.roff beside this script, around the lines '@options' and '@commands'.
"""

import os
import re
import subprocess
import sys
from email.utils import parsedate_to_datetime

HERE = os.path.dirname(os.path.abspath(__file__))


class Help:
    """One --help text, taken apart: what it says, its options, its commands."""

    def __init__(self, program, words):
        self.words = words
        text = subprocess.run(
            program + words + ["--help"],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "COLUMNS": "100"},
        ).stdout
        self.about, self.positionals, self.options, self.notes, commands = [], [], [], [], []
        section = self.about
        sections = {"Positionals:": self.positionals, "Options:": self.options, "Subcommands:": commands}
        for line in text.splitlines():
            if line in sections:
                section = sections[line]
            elif line.startswith("Usage:"):
                self.usage = line.removeprefix("Usage:").strip()
            elif section is self.about:
                if line.strip():
                    section.append(line.strip())
            elif section is self.notes or re.match(r"\S", line):
                section = self.notes  # what is written below the options
                section.append(line)
            elif re.match(r"  \S", line):
                # The name and what it is, at least two blanks apart, or on two lines.
                name, _, what = line.strip().partition("  ")
                section.append([name, what.strip()])
            elif line.strip():
                section[-1][1] = (section[-1][1] + " " + line.strip()).strip()
        if not self.about or not hasattr(self, "usage"):
            raise SystemExit(f"help_pages.py: cannot read the help of {' '.join(words) or 'the program'}")
        self.commands = [Help(program, words + [name]) for name, _ in commands]

    def walk(self):
        yield self
        for command in self.commands:
            yield from command.walk()

    def flags(self):
        """Every way to write every option, and whether a value follows."""
        for name, _ in self.options:
            spelled, _, value = name.partition(" ")
            for flag in spelled.split(","):
                yield flag, bool(value) and not value.startswith("REQUIRED")


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def manual_entries(rows):
    for name, what in rows:
        # --port UINT=8080, --lab FILE:FILE, --color WHEN:value in {...}: the flags, the kind, the default.
        flags, _, value = name.partition(" ")
        kind = re.match(r"[A-Z]*", value)[0]
        default = re.search(r"=(\S+)", value)
        head = f'.BI "{roff(flags)} " "{kind}"' if kind else f".B {roff(flags)}"
        text = roff(what or "See above")
        yield ".TP\n" + head + "\n" + text + (f"; by default {roff(default[1])}" if default else "") + "."


def manual_commands(name, top):
    for command in list(top.walk())[1:]:
        yield f'.SS "{" ".join([name, *command.words])}"'
        yield roff(" ".join(command.about).rstrip(".") + ".")
        yield from manual_entries(
            command.positionals + [row for row in command.options if not row[0].startswith("-h,")]
        )
        if command.notes:
            yield ".PP\n.nf\n" + "\n".join(roff(line) for line in command.notes) + "\n.fi"


def manual(name, top, version, date):
    with open(os.path.join(HERE, "manual", name + ".roff")) as file:
        text = file.read()
    title = f'.TH {name.upper()} 1 "{date}" "{name} {version}" "User Commands"\n'
    general = "\n".join(manual_entries(top.positionals + top.options))
    commands = "\n".join(manual_commands(name, top))
    return title + text.replace("@options", general).replace("@commands", commands)


def bash(name, top):
    cases = []
    for help_text in top.walk():
        words = [command.words[-1] for command in help_text.commands]
        words += [flag for flag, _ in help_text.flags()]
        cases.append(f'    "{" ".join(help_text.words)}") words="{" ".join(words)}" ;;')
    prefixes = " ".join(f'"{" ".join(h.words)}"' for h in top.walk() if h.commands and h.words)
    newline = "\n"
    return f"""# bash completion for {name}; made from its --help
_{name}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{COMP_WORDS[i]}}" in
      -*) break ;;
    esac
    if [ -z "$path" ]; then
      path=${{COMP_WORDS[i]}}
    else
      case "$path" in
        {prefixes.replace(" ", "|")}) path="$path ${{COMP_WORDS[i]}}" ;;
      esac
      break
    fi
  done
  case "$path" in
{newline.join(cases)}
  esac
  if [[ $current == -* || -z $path || " {" ".join(h.words[-1] for h in top.walk() if h.commands and h.words)} " == *" $path "* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
}}
complete -o filenames -F _{name} {name}
"""


def zsh(name, top):
    def quoted(text):
        return text.replace("'", "'\\''").replace(":", "\\:")

    lines = [f"#compdef {name}", f"# made from the --help of {name}", "local -a known", 'case "$words[2] $words[3]" in']
    for help_text in sorted(top.walk(), key=lambda each: -len(each.words)):
        known = [(command.words[-1], command.about[0]) for command in help_text.commands]
        known += [(flag, what) for row, what in help_text.options for flag in row.partition(" ")[0].split(",")]
        pattern = f"'{' '.join(help_text.words)} '*|'{' '.join(help_text.words)}'" if help_text.words else "*"
        entries = " ".join("'" + word + ":" + quoted(what) + "'" for word, what in known)
        lines.append(f"  {pattern}) known=({entries}) ;;")
    lines += [
        "esac",
        "if [[ $words[CURRENT] == -* || CURRENT -le 3 ]]; then",
        "  _describe -o command known || _files",
        "else",
        "  _files",
        "fi",
    ]
    return "\n".join(lines) + "\n"


def fish(name, top):
    def quoted(text):
        return text.replace("\\", "\\\\").replace("'", "\\'")

    lines = [f"# fish completion for {name}; made from its --help"]
    for help_text in top.walk():
        if help_text.words:
            seen = " and ".join(f"__fish_seen_subcommand_from {word}" for word in help_text.words)
            condition = f" -n '{seen.replace(' and ', '; and ')}'"
        else:
            condition = " -n __fish_use_subcommand"
        for command in help_text.commands:
            lines.append(f"complete -c {name}{condition} -a {command.words[-1]} -d '{quoted(command.about[0])}'")
        for row, what in help_text.options:
            spelled, _, value = row.partition(" ")
            flags = "".join(
                f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}" for flag in spelled.split(",")
            )
            lines.append(f"complete -c {name}{condition}{flags}{' -r' if value else ''} -d '{quoted(what)}'")
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n\n")[1])
    folder, changelog, program = sys.argv[1], sys.argv[2], sys.argv[3:]
    name = os.path.basename(program[-1])
    with open(changelog) as file:
        text = file.read()
    version = re.search(r"\(([^)]+)\)", text)[1]
    date = parsedate_to_datetime(re.search(r"^ -- .*>  (.*)$", text, re.M)[1]).strftime("%B %Y")
    top = Help(program, [])
    os.makedirs(folder, exist_ok=True)
    pages = {name + ".1": manual(name, top, version, date)}
    if top.commands:
        pages |= {name + ".bash": bash(name, top), "_" + name: zsh(name, top), name + ".fish": fish(name, top)}
    for file_name, content in pages.items():
        with open(os.path.join(folder, file_name), "w") as file:
            file.write(content)


if __name__ == "__main__":
    main()
