/**
 * Files of the last version that copied them into every workspace: the first 16 digits of each file's hash
 * (commandHash). `init` removes such a copy, also one that another machine has made. Nothing is added here.
 */
export const EARLIER = new Set([
  'c242e9162e52d582', // commands/workspace.add.md
  '7d07e21d07c17164', // commands/workspace.brainstorm.md
  '9b90d088c12382a0', // commands/workspace.debug.md
  '5f4f8d6f34f1e0da', // commands/workspace.learn.md
  '3aee25dfc0ad6dbf', // commands/workspace.meeting.md
  'a9147baf14103052', // commands/workspace.plan.md
  'eb291a7cc088212d', // commands/workspace.projectmanage.md
  '788a01ddb4df1124', // commands/workspace.resume.md
  'e6da699f22df863e', // commands/workspace.review.md
  'bff552fd18605b2e', // commands/workspace.stop-conversation.md
  'a07218197f28597c', // templates/brainstorm.md
  '2060eca91e15bd14', // templates/constitution.md
  '0d3e3c016e4b529d', // templates/debug.md
  '99fe8adc7183c181', // templates/learn.md
  'aa0131c364c8182b', // templates/meeting.md
  '06553dfc74e7e52a', // templates/plan.md
  '580cf9af2f3c2b57', // templates/projectmanage.md
  '24efe5847e1ed70b', // templates/registry.json
  'f4f370a715d7d1df', // templates/review.md
])
