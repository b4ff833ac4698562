#!/bin/sh
# The runner: runs one zdx turn with the script model in this folder, with tally last on PATH.
cd "$(dirname "$0")" || exit 1
PATH=$PATH:$PWD/bin
export PATH
exec zdx --provider script --model agent.jsonl exec -p "$(cat "$ZCL_PROMPT_PATH")"
