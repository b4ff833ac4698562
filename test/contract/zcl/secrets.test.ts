// No stored byte contains a secret of the contract's list, wherever the secret came from.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesBelow, Project } from './project.ts'

const project = new Project()
afterAll(() => project.remove())

const base64 = 'YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXo0NTY3ODkw'
const body = 'Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LmNbVcXzQa'

/** Each secret with the part that must not be stored. */
const secrets: readonly (readonly [name: string, text: string, hidden: string])[] = [
  ['github_token', `ghp_${body}`, body],
  ['github_token', `github_pat_11ABCDEFG0${body}`, body],
  ['openai_key', `sk-proj-${body}`, body],
  ['openai_key', `sk-ant-api03-${body}`, body],
  ['slack_token', `xoxb-123456789012-${body}`, body],
  ['aws_access_key_id', 'AKIAQ3EGZXCV5BNM7LKJ', 'AKIAQ3EGZXCV5BNM7LKJ'],
  ['jwt', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${body}`, body],
  ['bearer_token', `authorization: bearer ${body}`, body],
  [
    'private_key',
    `-----BEGIN EC PRIVATE KEY-----\n${base64}\n-----END EC PRIVATE KEY-----`,
    base64,
  ],
  ['google_api_key', `AIza${body.slice(0, 35)}`, body.slice(0, 35)],
  ['gitlab_token', `glpat-${body.slice(0, 20)}`, body.slice(0, 20)],
  ['npm_token', `npm_${body.slice(0, 36)}`, body.slice(0, 36)],
  ['url_credentials', `https://user:${body}@example.com/x`, body],
  ['env_secret', `MY_API_KEY=${body}`, body],
  ['env_secret', `{"client_secret": "${body}"}`, body],
  ['env_secret', `https://example.com/?access_token=${body}&x=1`, body],
]

function expectNowhere(folder: string): void {
  for (const file of Object.keys(filesBelow(folder))) {
    const stored = readFileSync(path.join(folder, file), 'latin1')
    for (const [name, , hidden] of secrets) {
      expect(stored.includes(hidden), `${name} in ${file}`).toBe(false)
    }
  }
}

const print = 'process.stdout.write(process.argv[1]); process.stderr.write(process.argv[2])'
const node = [process.execPath, '-e', print]

test('`zcl run` stores no secret of arguments, output, errors, or output across the cap', async () => {
  const attempt = await project.start()
  const filler = 'lorem ipsum '.repeat(1400).slice(0, 16_384 - 20)
  for (const [name, text] of secrets) {
    await project.run(attempt, [...node, text, `${filler} ${text} ${'tail '.repeat(9000)}`])
    const event = attempt.trace().at(-1)
    expect(event?.redactionsApplied, name).toContain(name)
  }
  const all = secrets.map(([, text]) => text)
  await project.run(attempt, [`./${all[0]}`])
  await project.run(attempt, [...node, JSON.stringify({ deep: all }), `error: ${all.join(' ')}`])
  await project.zcl(['run', '--capture', '--', ...node, all.join('\n'), ''], { env: attempt.env })
  expectNowhere(attempt.runFolder)
}, 120_000)

test('outcomes, notes and reports store no secret', async () => {
  const attempt = await project.start()
  const { env } = attempt
  const all = secrets.map(([, text]) => text)
  await project.run(attempt, ['true'])
  await project.zcl(['note', '--message', all.join('\n'), '--tags', `ghp_${body}`], { env })
  await project.zcl(['note', '--data-json', JSON.stringify({ a: { b: all } })], { env })
  await project.zcl(['feedback', '--fail', '--result-json', JSON.stringify([{ x: all }])], { env })
  await project.zcl(['report', attempt.folder])
  expectNowhere(attempt.runFolder)
  await project.zcl(['feedback', '--ok', '--result', all.join('\n')], { env })
  await project.zcl(['attempt', 'finish', attempt.folder])
  expectNowhere(attempt.runFolder)
  const { json } = await project.json(['validate', '--strict', attempt.folder])
  expect(json.errors).toEqual([])
})

test('the value of a secret variable is not stored, even without its name', async () => {
  const attempt = await project.start()
  const value = 'correct-horse-battery'
  const env = { ...attempt.env, DB_PASSWORD: value }
  const ran = await project.run(attempt, ['sh', '-c', 'echo "it is $DB_PASSWORD"'], { env })
  expect(ran.out).toBe(`it is ${value}\n`)
  await project.zcl(['feedback', '--ok', '--result', `found ${value}`], { env })
  for (const name of ['tool.calls.jsonl', 'feedback.json']) {
    expect(readFileSync(attempt.file(name), 'utf8')).not.toContain(value)
  }
})

test('redaction leaves hashes, ids and prose unchanged', async () => {
  const attempt = await project.start()
  const words = [
    '3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    '123e4567-e89b-42d3-a456-426614174000',
    'sk-learn and task-runner',
    'the token bucket, a secret garden',
  ]
  await project.run(attempt, ['echo', ...words])
  expect(attempt.trace()[0]).toMatchObject({
    input: { argv: ['echo', ...words] },
    redactionsApplied: [],
  })
})
