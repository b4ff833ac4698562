// list: paths by glob, with the size of the corpus.
import { objectSchema, optionalText } from './input.ts'
import type { ReaderTool } from './tools.ts'

const maxPaths = 500

export const list: ReaderTool = {
  name: 'list',
  description: 'List paths, sorted. A glob matches the full path; * crosses folders.',
  schema: objectSchema({ glob: { type: 'string', description: 'such as src/**/*.ts' } }),
  async run(input, { corpus, callId, maxChars }) {
    const glob = optionalText(input, 'glob')
    const args = { ...(glob === undefined ? {} : { glob }), max: maxPaths, max_chars: maxChars }
    const result = await corpus.run('list_files', args, callId)
    const files = Array.isArray(result.files) ? result.files.map(String) : []
    const more = result.truncated === true ? '\n[more files than shown: narrow the glob]' : ''
    const hidden =
      result.excluded === undefined ? '' : `\n[excluded: ${JSON.stringify(result.excluded)}]`
    return `${files.length} files\n${files.join('\n')}${more}${hidden}`
  },
}
