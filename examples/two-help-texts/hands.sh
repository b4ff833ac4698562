#!/bin/sh
# Acts for the scripted agent: tries the unit from the help text that matches the prompt, or else two
# guesses. Prints one result for the harness.
prompt=$1
thing=$(expr "$prompt" : '.*many \([a-z]*\)')
units=$(tally --help | sed -n 's/^Units: //p')
for unit in $units; do
  case "$thing" in "${unit%s}"*) guesses=$unit ;; esac
done
: "${guesses:=${thing%s} $thing}"
for unit in $guesses; do
  if number=$(tally --count "$unit" notes.txt); then
    echo "{\"ok\":true,\"resultJson\":{\"$thing\":$number}}"
    exit 0
  fi
done
echo "{\"ok\":false,\"resultJson\":{\"$thing\":null}}"
