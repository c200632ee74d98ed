import { stemmer } from 'stemmer'
import { plain } from '../text/without-accents.ts'

/**
 * Words of software work that people use in place of one another, one group on each line; some words are not English. A
 * word of a query also finds the other words of its groups, with a low weight. `search.related` in
 * `.workspace/config.json` adds groups.
 */
const GROUPS = `
add create introduce
agent assistant
alert warning notice notification
allow permit let
answer reply response
argument parameter option flag
backup copy
begin start launch
branch rama zweig branche
break fail broken
bug defect error fault fehler erreur problem issue
build compile
change modify edit alter update
check verify validate test
choose pick select
clean cleanup tidy
close shut end
clone checkout copy
collide conflict clash
command befehl commande comando
comment remark note
concurrent parallel simultaneous
config configuration settings setting preferences einstellung
container docker
credential secret token password key
crash panic abort
data daten
database db datenbank
decide agree settle choose
default standard
delete remove drop erase discard loeschen supprimer eliminar
dependency package library
deploy release publish ship rollout
directory folder dir verzeichnis ordner dossier carpeta
disable mute suppress hide silence
doc docs documentation document
duplicate copy repeated
empty blank
endpoint route url
entry record item
error failure
explain describe clarify
fake mock dummy stub
fast quick speed performance
file datei fichier archivo
find locate search lookup
fix repair correct resolve solve
function method func funktion fonction funcion
help guidance guide
history log
idea suggestion proposal
identifier id
image picture
import load
improve better enhance
install setup
learning lesson takeaway
limit maximum cap
line zeile ligne linea
lint linter linting
login auth authentication signin
lost missing gone vanish
mask redact scrub censor hide
merge combine join unify
message text wording
migrate move transfer
name rename naming nom nombre
nested inner sub
old legacy stale outdated
open launch
order sort
parse read
permission right access
plan design
prefix beginning
prevent avoid block stop
print show display output
prompt question ask
provider vendor
pull fetch
push upload
random arbitrary
reason cause grund raison
reduce shrink shorten
refactor restructure rework
repo repository
reset revert undo rollback
restore recover bring
retry again
review feedback
run execute
save store persist write
scan detect
schedule cron
script programm program
server backend
session conversation chat sitzung sesion
shared common
size length
skip ignore omit exclude
slow delay
split separate
summary summarise summarize overview
sync synchronise synchronize
telemetry analytics statistics usage
template form
temporary temp tmp
test spec tests
ticket issue
timeout deadline
tool utility
transcript conversation log
typo misspelling
unlink detach
user person benutzer utilisateur usuario
variable env
version release
wait delay
website site page
worktree checkout
`

/**
 * Returns a function that gives the words related to a word. Forms with the same stem have the same related words. Each
 * of `more` is a group of words, like a line of `GROUPS`.
 */
export function relatedWords(more: readonly string[] = []): (word: string) => readonly string[] {
  // Only letters and digits are taken, because the words become part of a regular expression. The settings of a clone
  // may contain any signs.
  const groups = [...GROUPS.trim().split('\n'), ...more.slice(0, MAX_GROUPS)].map((group) =>
    (
      plain(group.slice(0, MAX_LENGTH))
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).slice(0, MAX_WORDS),
  )
  const byStem = new Map<string, Set<string>>()
  for (const group of groups)
    for (const word of group) {
      const stem = stemmer(word)
      const related = byStem.get(stem) ?? new Set()
      for (const other of group) if (other !== word) related.add(other)
      byStem.set(stem, related)
    }
  return (word) => [...(byStem.get(stemmer(word)) ?? [])]
}

/** The settings of a clone may contain any number of groups and words, and each word is related to all of its group. */
const MAX_GROUPS = 200
const MAX_WORDS = 30
const MAX_LENGTH = 1000
