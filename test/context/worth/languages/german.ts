import type { Language } from './language.ts'

export const GERMAN: Language = {
  name: 'German',
  tasks: [
    (mark) => `/workspace.debug Beim Export nach ${mark} gehen Zeilen verloren`,
    (mark) => `Stell bitte den Rechnungsexport auf ${mark} um. Der alte liegt in legacy/.`,
    (mark) => `Ich möchte einen kleinen Dienst, der jede Nacht ${mark} spiegelt, mit einem Bericht.`,
  ],
  wordings: {
    known: {
      constraints: [
        (mark) => `Mit ${mark} muss es weiterhin funktionieren.`,
        (mark) => `Bitte ${mark} nicht anfassen.`,
        (mark) => `${mark} darf auf keinen Fall umbenannt werden.`,
        (mark) => `Das Budget dafür ist ${mark}, mehr gibt es nicht.`,
        (mark) => `Von ${mark} möchte ich lieber nicht abhängig sein.`,
        (mark) => `Denk dran, ${mark} ist tabu.`,
        (mark) => `Dafür darf nur ${mark} verwendet werden.`,
        (mark) => `Wir müssen ${mark} unterstützen.`,
        (mark) => `Achte darauf, dass ${mark} grün bleibt.`,
        (mark) => `Keine neuen Pakete außer ${mark}, bitte.`,
        (mark) => `${mark} ist vorgegeben, daran können wir nichts ändern.`,
        (mark) => `Vorsicht mit ${mark}: Da hängen Kunden dran.`,
      ],
      decisions: [
        (mark) => `Nehmen wir ${mark}.`,
        (mark) => `Wir haben uns für ${mark} entschieden.`,
        (mark) => `Einverstanden, dann also ${mark}.`,
        (mark) => `Entscheidung: ${mark}.`,
        (mark) => `Von den Möglichkeiten wähle ich ${mark}.`,
        (mark) => `Wir speichern das in ${mark}.`,
        (mark) => `Damit gewinnt ${mark}.`,
        (mark) => `Der Plan ist also ${mark}.`,
        (mark) => `Ich habe mich auf ${mark} festgelegt, das ist einfacher.`,
      ],
      next: [
        (mark) => `Als Nächstes binde ich ${mark} an.`,
        (mark) => `Jetzt fehlt noch ${mark}.`,
        (mark) => `Morgen machen wir mit ${mark} weiter.`,
      ],
    },
    heldOut: {
      constraints: [
        (mark) => `Bei ${mark} ist Schluss.`,
        (mark) => `Pass bei ${mark} auf, das ist wackelig.`,
        (mark) => `Bis ${mark} und keinen Schritt weiter, okay?`,
        (mark) => `Hier hat ${mark} das letzte Wort.`,
        (mark) => `Ich will, dass ${mark} so rauskommt, wie es reingeht.`,
        (mark) => `Alles außer ${mark} kann dir egal sein.`,
        (mark) => `Die Rechtsabteilung besteht auf ${mark}.`,
      ],
      decisions: [
        (mark) => `Gut, ${mark}.`,
        (mark) => `Na schön, dann ${mark}.`,
        (mark) => `Meine Stimme hat ${mark}.`,
        (mark) => `Ich bin heute früh auf ${mark} umgestiegen.`,
        (mark) => `${mark} soll es sein.`,
        (mark) => `Uns beiden gefällt ${mark} am besten.`,
      ],
      next: [(mark) => `Offen: ${mark}.`, (mark) => `Am Montag dran: ${mark}.`],
    },
  },
  smallTalk: [
    (thing, other) => `Schaust du mal, wie ${thing} an ${den(other)} kommt?`,
    (thing) => `Ach so, das macht ${thing} also.`,
    (thing, other) => `Was ist mit ${dem(thing)} in ${dem(other)}, liest das noch jemand?`,
    (thing, other) => `Zweimal liest ${thing} ${den(other)}, am Anfang und am Ende.`,
    (thing, other) => `Hier entsteht ${thing} aus ${dem(other)}, das Ergebnis kommt in eine Map.`,
    (thing) => `Zeig mir nochmal die Stelle mit ${dem(thing)}.`,
    (thing, other) =>
      `Ich bin ${den(thing)} durchgegangen, gut zweihundert Zeilen, die meisten für ${den(other)}.`,
    (thing) => `Danke, ${thing} sieht für mich gut aus.`,
    (thing, other) => `An drei Stellen treffen sich ${thing} und ${other}.`,
    (thing, other) => `Aus dem alten Code kommt ${thing}, und ${other} kam im Frühling dazu.`,
    (thing) => `Ich habe ${den(thing)} größer gemacht, die Zahlen sind etwa gleich.`,
    (thing, other) => `Interessant: ${other} ist schon sortiert, wenn ${thing} drankommt.`,
  ],
  things: [
    ...['der Parser', 'die Queue', 'der Cache', 'der Bericht', 'der Index', 'der Worker', 'der Zeitplan'],
    ...['das Kassenbuch', 'der Import', 'der Mailer', 'die Kopfzeile', 'der Timeout', 'der Stapel'],
    ...['der Cursor', 'die Vorlage', 'der Router', 'der Snapshot', 'der Pool', 'der Filter', 'das Konto'],
  ],
  noise: [
    'Eine Datei muss man lesen, wie sie ist, egal was ein Programm davon hält.',
    'Gelöscht wird nie etwas, ohne dass jemand es sagt.',
    'Den Ordner sollte niemand anfassen, während er verschoben wird.',
    'Ein Name darf keine Punkte und keine Schrägstriche haben.',
    'Was einen Monat niemand angesehen hat, fehlt in den Listen, außer man verlangt es.',
    'Erst kommt die Sperre, dann die Datei, und frei wird sie erst am Schluss.',
    'Zwei Prozesse können nicht zugleich schreiben, der zweite wartet höchstens zehn Sekunden.',
    'Schon früh haben wir entschieden, dass die Zeile zählt und nicht der Datensatz.',
    'Früher gab es eine Tabelle, die wurde aufgegeben, weil Tabellen lügen.',
    'Statt eines Caches gibt es eine Datei, die man wegwerfen kann.',
    'Zu einem Fehler gehören der Pfad und eine Zeile zum Einfügen.',
    'Ohne Terminal wird niemand gefragt, und was eine Antwort braucht, bleibt liegen.',
    'Der Test schlägt fehl, wenn sich die Reihenfolge ändert, das kam zweimal vor.',
    'Welcher zuerst kommt, spielt keine Rolle, solange beide da sind.',
    'Der nächste Leser sieht, was der letzte geschrieben hat, und nichts Halbes.',
    'Eine kaputte Zeile bleibt stehen und wird gezählt, dahinter geht es weiter.',
    'Zahlen sind Verhältnisse, denn Maschinen sind verschieden und eine volle lügt.',
    'Was im Journal übrig bleibt, veröffentlicht der Nächste.',
    'Das Fenster ist so groß wie das Modell erlaubt, abzüglich der Antwort.',
    'Namen sind nie oktal, auch wenn sie mit lauter Nullen anfangen.',
    'Immer mit dem Kleinsten anfangen, das gehen könnte, und messen.',
    'Der Hook muss schnell sein, deshalb parst er nichts.',
    'Trau der Uhr nicht, ab und zu geht sie rückwärts.',
    'Ein Geheimnis wird ersetzt, bevor es in eine lesbare Datei kommt.',
    'Hängt der Client, kann man ihn noch beenden, der Hook wartet nur so lange.',
    'Man war sich einig, dass das Format bleibt, mit einem Schlüssel mehr.',
    'Die Zusammenfassung hat höchstens eine Zeile und darf leer sein.',
    'Nur was gesagt wurde, zählt, der Rest fällt mit Namen weg.',
    'Lesen können muss man es auch mit einem bloßen Pager.',
    'Nach einem Absturz ist die alte Datei da oder die neue, nie halb und halb.',
    'Gewählt wurde der Import und nicht die Kopie, denn Kopien veralten.',
    'Halte den Kommentar kurz, den Rest soll der Name sagen.',
    'Für Ordner gilt eine Grenze von sechzig Zeichen, für Titel keine.',
    'Danach sehen wir wieder in die Aufzeichnung, beides muss gleich sein.',
    'Das Problem ist alt: Niemand weiß mehr, wozu die Spalte da ist.',
    'Die alte Anordnung wird unterstützt, bis die letzte verschwunden ist.',
    'Danach kommt der Merge, und der Baum muss sauber sein.',
    'Keine zweite Liste mit denselben Namen, eine davon ist immer falsch.',
    'Einen unbekannten Eintrag behalten wir roh, vielleicht versteht man ihn später.',
    'Jedes Versprechen steht an einer Stelle, neben dem Code, der es hält.',
  ],
  join: ' ',
  birds: [
    ...['Turmfalkenprüfung', 'Fischreiherübersicht', 'Goldregenpfeifergehäuse', 'Zeisigschlüssel'],
    ...['Strandläuferzähler', 'Säbelschnäblerordner', 'Uferschnepfenmenü', 'Hänflingslöscher'],
    ...['Merlinübergabe', 'Fischadlerhülle'],
  ],
  markOf: (bird, number) => `${bird}-${number}`,
}

/** The accusative of `der Parser`. */
function den(thing: string): string {
  return thing.replace(/^der /, 'den ')
}

/** Its dative. */
function dem(thing: string): string {
  return thing.replace(/^(?:der|das) |^die /, (article) => (article === 'die ' ? 'der ' : 'dem '))
}
