// MCP prompts: four ways of working with the corpus, which clients offer as commands.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { McpServer } from '@modelcontextprotocol/server'

interface Prompt {
  name: string
  description: string
  /** The one argument, and what it is. */
  argument: { name: string; description: string }
  text(value: string): string
}

const citing =
  'Cite every claim as path:start-end with lines that you have read through zeno. Say what you did not find, and ' +
  'where answers were truncated or left something out.'

const prompts: readonly Prompt[] = [
  {
    name: 'explore',
    description: 'Get to know the codebase, or one part of it.',
    argument: { name: 'topic', description: 'what to look at; the whole project without it' },
    text: (topic) =>
      `Explore ${topic || 'this codebase'} with the zeno tools: summary, then list_files for manifests and READMEs, ` +
      `then grep for entry points and read_file on what matters. Describe the parts and how they depend on each ` +
      `other. ${citing}`,
  },
  {
    name: 'trace-a-bug',
    description: 'Follow a symptom to its cause.',
    argument: { name: 'symptom', description: 'an error message or a wrong behaviour' },
    text: (symptom) =>
      `Find the cause of this symptom with the zeno tools: ${symptom}\n\nGrep for its literal words first, then for ` +
      `the functions around each hit, and read the call path up to the cause. List the hypotheses that you ruled out ` +
      `and the lines that rule them out. ${citing}`,
  },
  {
    name: 'review-changes',
    description: 'Review changed files and the code that uses them.',
    argument: { name: 'files', description: 'the changed files, or a description of the change' },
    text: (files) =>
      `Review this change with the zeno tools: ${files}\n\nRead the changed lines, grep for every use of the symbols ` +
      `that changed, and look for callers, tests and documents that the change breaks or forgets. Order findings by ` +
      `severity. ${citing}`,
  },
  {
    name: 'answer-with-citations',
    description: 'Answer a question from the files alone.',
    argument: { name: 'question', description: 'the question' },
    text: (question) =>
      `Answer this question from the files alone, with the zeno tools: ${question}\n\nSearch broadly, then read the ` +
      `lines that decide. Before you say that something is absent, grep with options {"certify": true}. ${citing}`,
  },
]

export function registerPrompts(server: McpServer): void {
  server.server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ name, description, argument }) => ({
      name,
      description,
      arguments: [{ ...argument, required: false }],
    })),
  }))
  server.server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts.find(({ name }) => name === params.name)
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt: ${params.name}`)
    }
    const text = prompt.text(params.arguments?.[prompt.argument.name] ?? '')
    return {
      description: prompt.description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
    }
  })
}
