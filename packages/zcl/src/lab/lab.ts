// The lab's front file: option values for the command tree, and the JSON Schema of campaigns.
// It loads nothing heavy, because every start of zcl loads the command tree.
export {
  feedbackPolicies,
  finalizationModes,
  resultChannels,
  sessionIsolations,
} from './vocabulary.ts'

/** The JSON Schema of a campaign specification. */
export async function campaignSchema(): Promise<object> {
  const { campaignJsonSchema } = await import('./campaign/campaign.ts')
  return campaignJsonSchema()
}
