// The skill: how an agent reads with zeno, how much, and how it cites. Below 6 KB, because agents load it whole.

export const skillText = `---
name: zeno
description: Read a large codebase or folder of text with zeno - search, read and cite exact lines, with budgets and receipts. Use it when a question needs many files, every hit, or citations.
---

# Reading with zeno

zeno serves one folder read-only. Answers are sorted, capped and fresh, and say what was left out. Prefer its tools to
shell search when you need every hit, when the folder is large, or when you will cite lines. Without the MCP tools, send
one request from a shell:

    zeno send --root . --op grep --args '{"pattern":"TODO","max_hits":20}'

## Modes

Choose one before you read. \`zeno plan NAME --run\` sends the first requests of a mode.

| mode | for |
| --- | --- |
| codebase-archaeology | where a symbol comes from: definition, uses, tests, documents |
| security-audit | code that deserves a security review |
| architecture-mapping | components, entry points, interfaces, dependencies |
| pr-review | changed lines, the symbols in them and their uses |
| skill-generation | how a project is used: documents, examples, tests |
| deep-research | everything about a term, documents first |

## Budgets

- At most 30 requests per answer, 12 per section; 400 lines per read, 2,000 lines per answer; 200 hits per grep.
- Stop within 20 % of a limit, and give a plan of at most 10 further requests.
- For more text than you can read, ask \`chunks\` for a plan and give each chunk to a sub-call, at depth 2 at most.

## Reading

1. Start with \`summary\` or \`list_files\`, then \`grep\` for literal words, then \`read_file\` around the hits.
2. \`truncated: true\` means that there is more: continue with \`cursor\` or \`next\`, or narrow the request.
3. \`excluded\` counts what default rules hide. Name the folder (\`build/**\`) to search it.
4. Before you say that something is absent, grep with \`certify: true\` and keep the certificate.
5. Files such as \`.env\` are refused with \`denied by rule\`. Do not try to get around that.

## Citations

- Cite every claim as \`path:start-end\`, with lines that you have read through zeno in this session.
- Ask for \`hash: true\` and put the hash into the evidence. Evidence without a hash proves nothing.
- Say what you did not read and what you could not find.

## The three blocks

End a turn with these blocks, each marker on its own line. \`zeno persist\` stores them, and \`zeno verify\` checks them.

===ZENO_STATE_UPDATE_JSON===
{"high_level_summary":"","open_questions":[],"next_retrieval_plan":[{"op":"grep","args":{},"purpose":""}],"budgets":{"retrieval_ops_max":30,"retrieval_ops_used":0}}
===/ZENO_STATE_UPDATE_JSON===
===ZENO_EVIDENCE_LEDGER_JSONL===
{"evidence_id":"E1","kind":"read","path":"src/a.ts","lines":[1,20],"why":"","hash":"sha256:..."}
===/ZENO_EVIDENCE_LEDGER_JSONL===
===ZENO_CLAIM_LEDGER_JSONL===
{"claim_id":"C1","claim":"","evidence":["E1"],"confidence":"high"}
===/ZENO_CLAIM_LEDGER_JSONL===
`
