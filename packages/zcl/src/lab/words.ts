// The words that the lab's command lines and files may use. Loads nothing, so that a command tree can
// have it.

export const feedbackPolicies = ['strict', 'auto_fail'] as const
export const finalizationModes = ['strict', 'auto_fail', 'auto_from_result_json'] as const
export const resultChannels = ['none', 'file_json', 'stdout_json'] as const
export const sessionIsolations = ['auto', 'process', 'native'] as const
