// The tools that `zino init` writes: one per interpreter that most machines have.

export const toolFiles = {
  bash: { meta: { executor: 'bash', file_extension: '.sh', static_analysis: 'shellcheck' } },
  python3: { meta: { executor: 'python3', file_extension: '.py', static_analysis: 'ruff' } },
}
