// A test project with two missions, an agent that answers both, and campaigns over them.
import path from 'node:path'
import { readJson } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

/** A flow whose agent gives `second` as the answer to the second mission. */
export function flow(flowId: string, second: string, runner: object = {}, extra: object = {}) {
  return {
    flowId,
    ...extra,
    runner: {
      type: 'process_cmd',
      command: ['./agent.sh'],
      env: { SECOND: second },
      finalization: {
        mode: 'auto_from_result_json',
        resultChannel: { kind: 'stdout_json' },
      },
      ...runner,
    },
  }
}

export class CampaignProject extends LabProject {
  constructor() {
    super()
    this.write('missions/1-first.md', 'What is one and one?')
    this.write('missions/2-second.md', 'What is the capital of France?')
    this.agent(
      `case "$ZCL_MISSION_ID" in 1-first) a=2;; *) a="$SECOND";; esac
echo "ZCL_RESULT_JSON:{\\"ok\\":true,\\"answer\\":\\"$a\\"}"`,
    )
  }

  /** Writes a specification with these keys added to the defaults. */
  spec(extra: object = {}): string {
    this.write('campaign.yaml', {
      schemaVersion: 1,
      campaignId: 'Two Texts',
      // These agents act without a funnel.
      allowUnproven: true,
      missionSource: { path: 'missions' },
      flows: [flow('a', 'Paris'), flow('b', 'Lyon')],
      ...extra,
    })
    return 'campaign.yaml'
  }

  /** Writes oracles outside the folder where agents work. */
  oracles(): object {
    const place = '../oracles'
    this.write(`${place}/1-first.json`, { rules: [{ field: 'answer', op: 'num_eq', value: 2 }] })
    this.write(`${place}/2-second.yaml`, {
      rules: [{ field: 'answer', op: 'eq', value: 'Paris', normalizers: ['trim'] }],
    })
    return {
      promptMode: 'exam',
      missionSource: {
        promptSource: { path: 'missions' },
        oracleSource: { path: place, visibility: 'host_only' },
      },
      evaluation: { mode: 'oracle', evaluator: { kind: 'builtin_rules' } },
    }
  }

  campaignFolder(id = 'two-texts'): string {
    return path.join(this.outRoot, 'campaigns', id)
  }

  /** The run ids of a campaign, one per flow. */
  runIds(id = 'two-texts'): string[] {
    const plan = readJson(path.join(this.campaignFolder(id), 'campaign.plan.json'))
    return (plan.flows as { runId: string }[]).map(({ runId }) => runId)
  }
}
