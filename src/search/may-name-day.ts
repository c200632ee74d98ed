/** The languages in which a query can name days. */
export type LanguageOfDays = keyof typeof WORDS

/** Words of days, months and spans of days. Every way to name a day with words contains one of them. */
const WORDS = {
  en: `jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october
    nov november dec december mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday
    sun sunday today tonight yesterday tomorrow night day days week weeks weekend fortnight month months quarter quarters
    year years`,
  de: `jan januar jän jänner feb februar mär mar märz maerz apr april mai jun juni jul juli aug august sep sept
    september okt oktober nov november dez dezember montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    heute gestern vorgestern morgen übermorgen tag tage tagen woche wochen monat monate monaten jahr jahre jahren quartal`,
  fr: `jan janv janvier fév fev février fevrier mars avr avril mai juin juil juillet août aout sept septembre oct
    octobre nov novembre déc dec décembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche hier aujourd
    demain veille nuit jour jours semaine semaines mois an ans année annee années annees trimestre`,
  es: `ene enero feb febrero mar marzo abr abril may mayo jun junio jul julio ago agosto sep sept septiembre setiembre
    oct octubre nov noviembre dic diciembre lunes martes miércoles miercoles jueves viernes sábado sabado domingo ayer
    anoche hoy mañana día dia días dias semana semanas mes meses año años trimestre`,
  it: `gen gennaio feb febbraio mar marzo apr aprile mag maggio giu giugno lug luglio ago agosto set sett settembre
    ott ottobre nov novembre dic dicembre lunedì martedì mercoledì giovedì venerdì lunedi martedi mercoledi giovedi
    venerdi sabato domenica ieri oggi domani giorno giorni settimana settimane mese mesi anno anni trimestre`,
  pt: `jan janeiro fev fevereiro mar março marco abr abril mai maio jun junho jul julho ago agosto set setembro out
    outubro nov novembro dez dezembro segunda terça terca quarta quinta sexta sábado sabado domingo ontem hoje amanhã
    dia dias semana semanas mês mes meses ano anos trimestre`,
} as const

const LANGUAGES = Object.entries(WORDS).map(([id, words]) => ({
  id: id as LanguageOfDays,
  words: new Set(words.split(/\s+/)),
}))

/** A date in numbers: `2026-01-06`, `6.1.2026`. */
const IN_NUMBERS = /\d[-./]\d/
const YEAR = /\b(?:19|20)\d\d\b/g

/**
 * Whether a query may name a day. asked-days.ts is loaded only for such a query, because loading its parsers takes as long as
 * starting Node.
 */
export function mayNameDay(query: string): boolean {
  return languagesOfDays(query).length > 0 || yearsIn(query).length > 0
}

/** Returns the languages in which a query may name days. A date of numbers only is read as English and as German. */
export function languagesOfDays(query: string): LanguageOfDays[] {
  const typed =
    query
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const isInNumbers = IN_NUMBERS.test(query)
  return LANGUAGES.filter(
    ({ id, words }) => (isInNumbers && /en|de/.test(id)) || typed.some((word) => words.has(word)),
  ).map(({ id }) => id)
}

/** Returns the numbers in a query that can be years, with their places. */
export function yearsIn(query: string): { at: number; year: string }[] {
  return [...query.matchAll(YEAR)].map(({ index, 0: year }) => ({ at: index, year }))
}
