// The skills that `zino init` writes. Each has two prompts: one plans the work, one writes the code.

const interpreter = (language: string) => [
  {
    role: 'system',
    content:
      `You prepare work for someone who writes ${language}. Read the request and describe, in at ` +
      'most five short lines, what a script has to do: inputs, steps, output, and what must not ' +
      'happen. Name paths and numbers from the request exactly. Write no code.',
  },
]

const fabricatorRules = (language: string) => ({
  role: 'system',
  content:
    `You write ${language}. You get a request, then [KCR], then a plan. Answer with one complete ` +
    'script that does the work and prints what the user wants to know: only code, no markdown, no ' +
    'explanation. It runs without a terminal and without input, so ask nothing.',
})

export const skillFiles = {
  shell: {
    meta: { executor: 'bash', file_extension: '.sh', static_analysis: 'shellcheck' },
    interpreter: interpreter('bash'),
    fabricator: [
      fabricatorRules('bash'),
      {
        role: 'user',
        content:
          'how full are the disks? [KCR] List mounted file systems with their size and usage, ' +
          'fullest first. Leave out virtual ones.',
      },
      {
        role: 'assistant',
        content:
          '#!/bin/bash\nset -euo pipefail\ndf -hP -x tmpfs -x devtmpfs | tail -n +2 | sort -k5 -rn\n',
      },
    ],
  },
  python: {
    meta: { executor: 'python3', file_extension: '.py', static_analysis: 'ruff' },
    interpreter: interpreter('Python'),
    fabricator: [
      fabricatorRules('Python 3, with its standard library only'),
      {
        role: 'user',
        content:
          'average of the second column of /tmp/times.csv [KCR] Read the CSV file, skip the ' +
          'header, take column 2 as numbers, print their mean with two digits.',
      },
      {
        role: 'assistant',
        content:
          'import csv\nfrom statistics import fmean\n\nwith open("/tmp/times.csv", newline="") as f:\n' +
          '    rows = list(csv.reader(f))[1:]\nprint(f"{fmean(float(row[1]) for row in rows):.2f}")\n',
      },
    ],
  },
}
