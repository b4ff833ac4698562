"""Checks the certificate of a zeno search without any code of zee: git lists the files, ripgrep searches them, SHA-256
and the Merkle tree of RFC 6962 are computed here. The folder must be a git work tree.

    zeno send --root . --op grep --args '{"pattern":"eval(","certify":true}' > answer.json
    python3 check-certificate.py . answer.json

Exits with 0 if files, bytes, root and hits agree, else with 1 and one line per difference.
"""

import fnmatch
import hashlib
import json
import os
import subprocess
import sys

EXCLUDED = ".git .hg .svn .venv venv node_modules dist build .next .turbo .cache .pytest_cache".split()
DENIED = [".env*", "*.pem", "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", ".npmrc",
          "credentials*", "kubeconfig", "*.kubeconfig"]


def listed(root):
    """Every file of the work tree, tracked or not; zeno does not read .gitignore either."""
    command = ["git", "-C", root, "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others"]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return sorted({path for path in output.split(b"\0") if path})


def considered(root, args):
    """The files that a search with these arguments covers, as (path, content)."""
    hidden = args.get("include_hidden", False)
    names = set(args.get("exclude_dirs", []))
    if args.get("default_excludes", True):
        names.update(EXCLUDED)
    for raw in listed(root):
        path = os.fsdecode(raw)
        parts = path.split("/")
        if not hidden and any(part.startswith(".") for part in parts):
            continue
        if any(part in names for part in parts[:-1]):
            continue
        file = os.path.join(os.fsencode(root), raw)
        names_of_file = [parts[-1], os.path.basename(os.fsdecode(os.path.realpath(file)))]
        if any(fnmatch.fnmatchcase(name.lower(), rule) for name in names_of_file for rule in DENIED):
            continue
        inside = os.path.realpath(file).startswith(os.path.realpath(os.fsencode(root)) + b"/")
        if not os.path.isfile(file) or not inside or os.path.getsize(file) > args.get("max_bytes", 2_000_000):
            continue
        with open(file, "rb") as content:
            yield raw, content.read()


def merkle(leaves):
    if not leaves:
        return hashlib.sha256(b"").digest()
    while len(leaves) > 1:
        pairs = [hashlib.sha256(b"\x01" + leaves[at] + leaves[at + 1]).digest() for at in range(0, len(leaves) - 1, 2)]
        leaves = pairs + (leaves[-1:] if len(leaves) % 2 else [])
    return leaves[0]


def search(root, files, args):
    """The hits of ripgrep as {(path, line)}. The files are passed by name, so that it excludes nothing."""
    command = [os.environ.get("RG", "rg"), "--json", "--no-config", "--text", "--no-ignore", "--hidden"]
    command += [] if args.get("regex") else ["--fixed-strings"]
    command += [] if args.get("case_sensitive", True) else ["--ignore-case"]
    hits = set()
    for at in range(0, len(files), 500):
        batch = [b"./" + raw for raw in files[at:at + 500]]
        output = subprocess.run(command + ["--regexp", args["pattern"], "--", *batch], cwd=root, stdout=subprocess.PIPE)
        for line in output.stdout.splitlines():
            event = json.loads(line)
            if event["type"] == "match":
                hits.add((event["data"]["path"]["text"][2:], event["data"]["line_number"]))
    return hits


def main(root, file):
    with open(file, encoding="utf-8") as answer:
        result = json.load(answer)["result"]
    certificate = result["certificate"]
    args = certificate["args"]
    if args.get("paths") or args.get("exclude_globs") or args.get("respect_gitignore"):
        sys.exit("this checker does not know globs")
    files = list(considered(root, args))
    leaves = [hashlib.sha256(b"\0" + raw + b"\0" + hashlib.sha256(text).digest()).digest() for raw, text in files]
    now = {"files": len(files), "bytes": sum(len(text) for _, text in files), "root": merkle(leaves).hex()}
    problems = [f"{name}: the certificate says {certificate[name]}, here it is {now[name]}"
                for name in now if certificate[name] != now[name]]
    said = {(hit["path"], hit["line"]) for hit in result["hits"]}
    found = search(root, [raw for raw, _ in files], args)
    problems += [f"not found by ripgrep: {path}:{line}" for path, line in sorted(said - found)]
    if not result["truncated"]:
        problems += [f"hidden by the answer: {path}:{line}" for path, line in sorted(found - said)]
    print("\n".join(problems) if problems else f"ok: {now['files']} files, root {now['root']}, {len(found)} hits")
    sys.exit(1 if problems else 0)


main(sys.argv[1], sys.argv[2])
