// The panels of the exam room: what the agent changed, and what the graders said.
import type { ExamFacts, JudgeFacts, VerifierFacts, WorkspaceFacts } from '../../data/data.ts'
import { Badge, Panel, TextBox } from '../../widgets/widgets.tsx'
import { duration, pluralize } from '../../format.ts'

export function ExamPanels({ exam }: { exam: ExamFacts | undefined }) {
  if (exam === undefined) return null
  return (
    <>
      {exam.verifiers.length + exam.scores.length === 0 && exam.judge === undefined ? null : (
        <GradesPanel exam={exam} />
      )}
      {exam.workspace === undefined ? null : <WorkspacePanel workspace={exam.workspace} />}
    </>
  )
}

function GradesPanel({ exam }: { exam: ExamFacts }) {
  return (
    <Panel title="Grades" note={exam.isolation}>
      <div class="body" style={{ display: 'grid', gap: '10px' }}>
        {exam.verifiers.map((verifier, index) => (
          <Verifier key={index} verifier={verifier} />
        ))}
        {exam.scores.map(({ scorer, ok, message }) => (
          <p class="small" key={scorer}>
            <Verdict ok={ok} /> scorer <span class="mono">{scorer}</span>
            {message === undefined ? '' : `: ${message}`}
          </p>
        ))}
        {exam.judge === undefined ? null : <Judge judge={exam.judge} />}
      </div>
    </Panel>
  )
}

function Verdict({ ok }: { ok: boolean }) {
  return <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'accepted' : 'rejected'}</Badge>
}

function Verifier({ verifier }: { verifier: VerifierFacts }) {
  const { command, ok, exitCode, message, durationMs, stdout, stderr } = verifier
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`
  return (
    <>
      <p class="small">
        <Verdict ok={ok} /> verifier <span class="mono">{command}</span> in {duration(durationMs)}
        {code}
        {message === undefined ? '' : `: ${message}`}
      </p>
      {stdout.text === '' ? null : <TextBox label="Output of the verifier" content={stdout} />}
      {stderr.text === '' ? null : <TextBox label="Errors of the verifier" content={stderr} />}
    </>
  )
}

function Judge({ judge }: { judge: JudgeFacts }) {
  return (
    <>
      <p class="small">
        {judge.ok === undefined ? <Badge>no verdict</Badge> : <Verdict ok={judge.ok} />} judge{' '}
        <span class="mono">{judge.model}</span>
      </p>
      {judge.votes.map(({ status, ok, reason }, index) => (
        <p class="small" key={index}>
          {ok === undefined ? status : ok ? 'yes' : 'no'}
          {reason === undefined ? '' : `: ${reason}`}
        </p>
      ))}
    </>
  )
}

function WorkspacePanel({ workspace }: { workspace: WorkspaceFacts }) {
  const { added, modified, deleted, diff, isRetained } = workspace
  const total = added + modified + deleted
  const counts = `${added} added, ${modified} modified, ${deleted} deleted`
  return (
    <Panel title="Workspace" note={total === 0 ? undefined : counts}>
      {total === 0 ? (
        <p class="empty">The agent changed no file.</p>
      ) : (
        <div class="body">
          <TextBox label={`Diff of ${pluralize(total, 'file')}`} content={diff} />
          {isRetained ? <p class="small quiet">The workspace was kept.</p> : null}
        </div>
      )}
    </Panel>
  )
}
