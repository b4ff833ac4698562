// `zcl campaign ...` and `zcl mission ...`.
import { commandFor, wholeNumber } from '@zee/core/command-line'
import type { OptionTable } from '@zee/core/command-line'
import { json, outRoot } from './options.ts'
import { ownLauncher } from '../programs/programs.ts'

const command = commandFor({})

const spec = {
  flags: '--spec <file>',
  summary: 'the specification, YAML or JSON',
  complete: 'file',
} as const
const required = { ...spec, required: true } as const
const missions = {
  flags: '--missions <n>',
  summary: 'only the first so many missions',
  parse: wholeNumber(1),
} as const
const campaignId = {
  flags: '--campaign-id <id>',
  summary: 'the campaign, instead of the id in its specification',
} as const
const force = {
  flags: '--force',
  summary: 'take an invalid or aborted campaign all the same',
} as const

const shared = { campaignId, missions, outRoot, json } as const satisfies OptionTable
const forSpec = { spec: required, ...shared } as const satisfies OptionTable
const forKnown = { spec, ...shared } as const satisfies OptionTable

const handlers = () => import('../lab/campaign/command.ts')

export const campaign = command({
  name: 'campaign',
  summary: 'Compare flows: the same missions with another tool, prompt or runner',
  commands: [
    command({
      name: 'lint',
      summary: 'Check a specification, its missions, prompts and oracles; runs nothing',
      options: forSpec,
      run: async ({ options, host }) => (await handlers()).runLint(options, host),
    }),
    command({
      name: 'run',
      summary: 'Carry a campaign out: mission by mission, each flow one attempt',
      description:
        'Exit 0 when the campaign is valid, whatever the agents achieved; 2 when it is invalid or ' +
        'was aborted. Killed at any moment it goes on with zcl campaign resume.',
      options: forSpec,
      examples: [{ line: 'zcl campaign run --spec campaign.yaml', note: 'then read RESULTS.md' }],
      run: async ({ options, host }) =>
        (await handlers()).runCampaign(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'canary',
      summary: 'Carry out the first missions as a campaign of their own',
      options: forSpec,
      run: async ({ options, host }) =>
        (await handlers()).runCanary(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'resume',
      summary: 'Go on where a campaign stopped; no attempt is made twice',
      options: forSpec,
      run: async ({ options, host }) =>
        (await handlers()).runResume(options, { host, launcher: ownLauncher() }),
    }),
    command({
      name: 'status',
      summary: 'Say where a campaign stands',
      options: forKnown,
      run: async ({ options, host }) => (await handlers()).runStatus(options, host),
    }),
    command({
      name: 'report',
      summary: 'Add a campaign up and write RESULTS.md',
      options: { ...forKnown, force },
      run: async ({ options, host }) => (await handlers()).runReport(options, host),
    }),
    command({
      name: 'publish-check',
      summary: 'Say whether its numbers may be shown to others',
      options: { ...forKnown, force },
      run: async ({ options, host }) => (await handlers()).runPublishCheck(options, host),
    }),
    command({
      name: 'doctor',
      summary: 'Check whether this machine can carry a campaign out',
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
      summary: 'Work with what agents are told',
      commands: [
        command({
          name: 'build',
          summary: 'Write what each flow tells its agent, to be read before anything is run',
          options: forSpec,
          run: async ({ options, host }) =>
            (await import('../lab/campaign/mission/command.ts')).runPromptsBuild(options, host),
        }),
      ],
    }),
  ],
})
