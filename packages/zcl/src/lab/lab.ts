// What the rest of zcl knows of the lab: its words, for the command tree, and the form of campaigns. Light:
// the tree loads it.
export { feedbackPolicies, finalizationModes, resultChannels, sessionIsolations } from './words.ts'

/** The JSON Schema of a campaign's specification. */
export async function campaignSchema(): Promise<object> {
  const { campaignJsonSchema } = await import('./campaign/campaign.ts')
  return campaignJsonSchema()
}
