/**
 * Whether a word says nothing about what is searched for, as most words of questions do. A query leaves such words out.
 * It keeps them if it has no other words, or if they are quoted. The list is short, because the rarity of a word in the
 * conversations decides how much the word counts.
 */
export function isCommon(word: string): boolean {
  return COMMON.has(word)
}

const COMMON = new Set(
  [
    // English
    'a an and any are as at be been being but by can could did do does done for from had has have having he her hers him',
    'his how i if in into is it its me my of off on or our ours she so some such than that the their them then there these',
    'they this those to up us was we were what when where which who whom whose why will with would you your yours',
    's t d ll m re ve am about also just not no',
    // Words of questions and light verbs.
    'say says said saying ask asks asked tell told want wanted mention mentioned get gets got getting give gave go goes going',
    'went come came make makes made take takes took put let lets keep keeps kept need needed thing things one ones',
    // German
    'aber als am an auch auf aus bei das dass dem den der des die du ein eine einem einen einer er es fur haben hat hatte',
    'ich ihr im ist kann mit nach nicht oder sich sie sind um und von war warum was wann welche welcher welches wer wie wir',
    'wird wo wurde zu zum zur',
    // French, Spanish, Italian, Portuguese
    'le la les un une des du de et est que qui quoi quand ou dans pour sur avec ce cette ces je tu il elle nous vous ils',
    'el los las una y es por para con como donde cuando cual quien en lo se su',
    'di che e per con come dove quando o da em os uma',
  ].flatMap((line) => line.split(' ')),
)
