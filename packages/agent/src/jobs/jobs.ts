// Background commands of a conversation: `bash` with `background` starts one, and the `jobs` tool reads,
// waits for and ends them. All of them end with the conversation.
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolContext, ToolInput } from '../tools/tools.ts'
import { defaultTools } from '../tools/tools.ts'
import { Job } from './job.ts'

export interface Jobs {
  /** The tools for the model: `bash` with `background`, and `jobs`. */
  tools: readonly BuiltInTool[]
  /** Ends all commands. */
  close(): Promise<void>
}

/** Running and ended jobs of one conversation, to bound memory. */
const maxJobs = 64

export function openJobs(): Jobs {
  const jobs = new Map<string, Job>()
  const tools = [backgroundBash(jobs), jobsTool(jobs)]
  return {
    tools,
    close: async () => {
      await Promise.all([...jobs.values()].map((job) => job.end()))
    },
  }
}

function backgroundBash(jobs: Map<string, Job>): BuiltInTool {
  const bash = defaultTools.find(({ name }) => name === 'bash')
  if (bash === undefined) throw new Error('there is no bash tool')
  return {
    ...bash,
    description: 'Run a shell command; in the background it returns an id for jobs.',
    schema: {
      ...bash.schema,
      properties: { ...bash.schema.properties, background: { type: 'boolean' } },
    },
    run: (input, context) =>
      input.background === true ? startJob(jobs, input, context) : bash.run(input, context),
  }
}

async function startJob(
  jobs: Map<string, Job>,
  input: ToolInput,
  context: ToolContext,
): Promise<Envelope> {
  if (jobs.size >= maxJobs) return failure('job_limit', `There are already ${maxJobs} jobs`)
  const command = String(input.command)
  const { callId, signal } = context
  const decision = await context.beforeCommand?.({ callId, command, signal })
  if (decision?.ok === false) {
    return failure('not_recorded', `The command did not run: ${decision.reason}`)
  }
  const id = `job-${jobs.size + 1}`
  const job = new Job(id, command)
  jobs.set(id, job)
  await job.start(context.root, context.env)
  return success({ job: id, ...job.state() })
}

function jobsTool(jobs: Map<string, Job>): BuiltInTool {
  return {
    name: 'jobs',
    description: 'Background commands: list, read (new output), wait (for the end) or kill.',
    schema: {
      type: 'object',
      properties: {
        op: { type: 'string', enum: ['list', 'read', 'wait', 'kill'] },
        id: { type: 'string' },
        timeout_secs: { type: 'integer' },
      },
      required: ['op'],
    },
    run: (input, context) => runJobs(jobs, input, context),
  }
}

async function runJobs(
  jobs: Map<string, Job>,
  { op, id, timeout_secs: seconds }: ToolInput,
  { signal }: ToolContext,
): Promise<Envelope> {
  if (op === 'list') {
    const all = [...jobs.values()]
    return success({
      jobs: all.map((job) => ({ job: job.id, command: job.command, ...job.state() })),
    })
  }
  const job = jobs.get(String(id))
  if (job === undefined) return failure('job_not_found', `There is no job '${String(id ?? '')}'`)
  if (op === 'wait') await job.wait(signal, seconds === undefined ? undefined : Number(seconds))
  if (op === 'kill') await job.end()
  return success({ job: job.id, ...job.state(), ...job.takeOutput() })
}
