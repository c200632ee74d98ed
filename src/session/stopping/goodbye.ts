/**
 * Whether a person only takes leave: "let's stop here, I need to go". The prompt of a turn that has stopped is then not
 * shown to the next agent (without-stops.ts). Knows English words alone.
 */
export function isGoodbye(text: string): boolean {
  const words =
    text
      .slice(0, MAX_LENGTH + 1)
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}']+/gu) ?? []
  return (
    text.length <= MAX_LENGTH && words.length > 0 && words.every((word) => LEAVE.has(word)) && END.test(text)
  )
}

/**
 * Whether a person says that they leave, in a turn in which the agent stops nothing. The turn is not shown to the next
 * agent either, so only words count that ask for nothing: `bye for now`, and not `ok, go`, `pause at one` or `leave it
 * there`, which may answer a question.
 */
export function isFarewell(text: string): boolean {
  return isGoodbye(text) && FAREWELL.test(text)
}

const FAREWELL =
  /\b(?:bye|goodbye|(?:stop|pause|leave it|wrap up|enough|done|quit) (?:here|for (?:now|today|tonight|the day))|let['’]?s? (?:us )?(?:stop|pause)(?: here| now)?[.! ]*$|that['’]?s (?:all|enough|it) for|(?:need|have|got|going) to (?:go|leave|run)|call it (?:a day|a night|quits))\b/i
const MAX_LENGTH = 200
const END = /\b(?:stop|pause|enough|done|go|going|leave|bye|goodbye|wrap|break|quit|end|finish|save)\b/i
const LEAVE = new Set(
  `a all alright and at away be been bit break bye call can chat come continue conversation could day dinner do done
  end enough every evening everything finish finished for get go going gonna good goodbye got gotta great have head
  here home i i'd i'll i'm i've is it it's later leave let let's lets lunch may me meeting moment more morning much
  must my need next night nice now of off ok okay on one our out over pause pick please quick quit ready really
  right run save session short should so soon stop sure talk thank thanks that that's thats the then there think this
  time to today tomorrow tonight tonight's until up us very want we we'd we'll we're we've week weekend well while will
  with would wrap you your`.split(/\s+/),
)
