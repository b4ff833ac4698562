// `zcl campaign ...` and `zcl mission ...`.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import type { OptionTable } from '@zee/core/command-line'
import { json, outRoot } from '../options.ts'
import { ownLauncher } from '../../programs/programs.ts'

const command = commandFor({})

const spec = {
  flags: '--spec <file>',
  summary: 'read the specification from this YAML or JSON file',
  complete: 'file',
} as const
const required = { ...spec, required: true } as const
const missions = {
  flags: '--missions <n>',
  summary: 'use only the first missions, up to this number',
  parse: wholeNumber(1),
} as const
const campaignId = {
  flags: '--campaign-id <id>',
  summary: 'use this id instead of the one in the specification',
} as const
const force = {
  flags: '--force',
  summary: 'accept an invalid or aborted campaign',
} as const

const shared = { campaignId, missions, outRoot, json } as const satisfies OptionTable
const forSpec = { spec: required, ...shared } as const satisfies OptionTable
const forStarted = { spec, ...shared } as const satisfies OptionTable

const handlers = () => import('../../lab/campaign/command.ts')

export const campaign = command({
  name: 'campaign',
  summary: 'Compare flows: the same missions with another tool, prompt or runner',
  commands: [
    command({
      name: 'lint',
      summary: 'Check a specification, its missions, prompts and oracles without running anything',
      options: forSpec,
      run: async ({ options, host }) => (await handlers()).runLint(options, host),
    }),
    command({
      name: 'run',
      summary: 'Run a campaign: mission by mission, one attempt per flow',
      description:
        'Exit 0 when the campaign is valid, whatever the agents achieved; 2 when it is invalid or ' +
        'was aborted. If it is killed, continue it with zcl campaign resume.',
      options: forSpec,
      examples: [{ line: 'zcl campaign run --spec campaign.yaml', note: 'then read RESULTS.md' }],
      run: async ({ options, host }) =>
        (await handlers()).runCampaign(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'canary',
      summary: 'Run the first missions as a separate campaign',
      options: forSpec,
      run: async ({ options, host }) =>
        (await handlers()).runCanary(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'resume',
      summary: 'Continue a campaign; finished attempts are not repeated',
      options: forSpec,
      run: async ({ options, host }) =>
        (await handlers()).runResume(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'status',
      summary: 'Print the status of a campaign',
      options: forStarted,
      run: async ({ options, host }) => (await handlers()).runStatus(options, host),
    }),
    command({
      name: 'report',
      summary: 'Compute the totals of a campaign and write RESULTS.md',
      options: { ...forStarted, force },
      run: async ({ options, host }) => (await handlers()).runReport(options, host),
    }),
    command({
      name: 'publish-check',
      summary: 'Check whether the results of a campaign may be published',
      options: { ...forStarted, force },
      run: async ({ options, host }) => (await handlers()).runPublishCheck(options, host),
    }),
    command({
      name: 'doctor',
      summary: 'Check whether this machine can run a campaign',
      options: forSpec,
      run: async ({ options, host }) => (await handlers()).runCampaignDoctor(options, host),
    }),
  ],
})

export const mission = command({
  name: 'mission',
  summary: 'Work with the missions of a campaign',
  commands: [
    command({
      name: 'prompts',
      summary: 'Work with the prompts of agents',
      commands: [
        command({
          name: 'build',
          summary: 'Write the prompt of each flow and mission to a file, for review',
          options: forSpec,
          run: async ({ options, host }) =>
            (await import('../../lab/campaign/mission/command.ts')).runPromptsBuild(options, host),
        }),
      ],
    }),
  ],
})
