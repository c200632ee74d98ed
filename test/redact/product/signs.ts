import { oneOf, type Roll } from './dice.ts'
import type { Name } from './names.ts'

/** Writes a name and its value as people and programs do. */
type Sign = (n: Name, v: string) => string

/** Ways to write a name and its value, by where they are used. */
export const SIGNS: Record<string, readonly Sign[]> = {
  'env, shell': [
    (n, v) => `${n.env}=${v}`,
    (n, v) => `${n.env}="${v}"`,
    (n, v) => `export ${n.env}='${v}'`,
    (n, v) => `export ${n.env}=${v}`,
    (n, v) => `set ${n.env}=${v}`,
    (n, v) => `setx ${n.env} "${v}"`,
    (n, v) => `$env:${n.env} = "${v}"`,
    (n, v) => `set -gx ${n.env} '${v}'`,
    (n, v) => `ENV ${n.env} ${v}`,
    (n, v) => `ARG ${n.env}=${v}`,
    (n, v) => `${n.env}="\${${n.env}:-${v}}"`,
    (n, v) => `docker run -e ${n.env}=${v} app`,
    (n, v) => `heroku config:set ${n.env}=${v}`,
  ],
  'make, assignments with signs': [
    (n, v) => `${n.env} ?= ${v}`,
    (n, v) => `${n.env} := ${v}`,
    (n, v) => `${n.env} ::= ${v}`,
    (n, v) => `${n.env} += ${v}`,
    (n, v) => `${n.env} .= '${v}'`,
    (n, v) => `$${n.id} ??= '${v}';`,
    (n, v) => `@${n.id} ||= "${v}"`,
    (n, v) => `${n.id} <- "${v}"`,
    (n, v) => `(setq ${n.key} "${v}")`,
    (n, v) => `(def ${n.key} "${v}")`,
  ],
  'YAML, properties': [
    (n, v) => `${n.key}: ${v}`,
    (n, v) => `${n.key}: "${v}"`,
    (n, v) => `- ${n.key}: '${v}'`,
    (n, v) => `${n.key} = ${v}`,
    (n, v) => `${n.key}=${v}`,
    (n, v) => `${n.key} = "${v}"`,
    (n, v) => `{name: app, ${n.key}: ${v}, port: 80}`,
    (n, v) => `${n.key}: !!str ${v}`,
    (n, v) => `${n.key}: &anchor ${v}`,
  ],
  JSON: [
    (n, v) => `"${n.key}": "${v}"`,
    (n, v) => `{"host":"db","${n.key}":"${v}"}`,
    (n, v) => `{"name": "${n.key}", "value": "${v}"}`,
    (n, v) => `{'user': 'app', '${n.key}': '${v}'}`,
    (n, v) => `"${n.key}": ["${v}"]`,
    (n, v) => `{ ${n.id}: '${v}' }`,
  ],
  'code, assignment': [
    (n, v) => `const ${n.id} = '${v}'`,
    (n, v) => `let ${n.id}: string = "${v}";`,
    (n, v) => `${n.id} = "${v}"`,
    (n, v) => `${n.id}: str = "${v}"`,
    (n, v) => `${n.id} := "${v}"`,
    (n, v) => `var ${n.id} string = "${v}"`,
    (n, v) => `const ${n.id} = \`${v}\``,
    (n, v) => `let ${n.id}: &str = "${v}";`,
    (n, v) => `const ${n.env}: &'static str = "${v}";`,
    (n, v) => `#define ${n.env} "${v}"`,
    (n, v) => `private static final String ${n.env} = "${v}";`,
    (n, v) => `char *${n.id} = "${v}";`,
    (n, v) => `char ${n.id}[] = "${v}";`,
    (n, v) => `std::string ${n.id}{"${v}"};`,
    (n, v) => `string ${n.id} = @"${v}";`,
    (n, v) => `$${n.id} = '${v}';`,
    (n, v) => `self.${n.id} = "${v}"`,
    (n, v) => `config["${n.key}"] = "${v}"`,
    (n, v) => `my $${n.id} = q{${v}};`,
    (n, v) => `Dim ${n.id} As String = "${v}"`,
    (n, v) => `local ${n.id} = [[${v}]]`,
    (n, v) => `val ${n.id} = """${v}"""`,
    (n, v) => `${n.id} = r"${v}"`,
    (n, v) => `NSString *${n.id} = @"${v}";`,
  ],
  'code, pairs': [
    (n, v) => `'${n.key}' => '${v}',`,
    (n, v) => `:${n.id} => "${v}",`,
    (n, v) => `${n.id}: "${v}",`,
    (n, v) => `["${n.key}", "${v}"],`,
    (n, v) => `("${n.key}", "${v}"),`,
    (n, v) => `{"${n.key}", "${v}"},`,
    (n, v) => `connect(host="db", ${n.id}="${v}")`,
    (n, v) => `.${n.id} = "${v}",`,
  ],
  'code, fallback and calls': [
    (n, v) => `const x = process.env.${n.env} || "${v}"`,
    (n, v) => `const ${n.id} = process.env.${n.env} ?? '${v}'`,
    (n, v) => `os.environ.get("${n.env}", "${v}")`,
    (n, v) => `os.getenv('${n.env}', '${v}')`,
    (n, v) => `ENV.fetch("${n.env}", "${v}")`,
    (n, v) => `env('${n.env}', '${v}')`,
    (n, v) => `os.Setenv("${n.env}", "${v}")`,
    (n, v) => `define('${n.env}', '${v}');`,
    (n, v) => `${n.id} = SecretStr("${v}")`,
    (n, v) => `${n.id}: new Secret('${v}')`,
    (n, v) => `config.set("${n.key}", "${v}")`,
    (n, v) => `set${pascal(n.id)}("${v}")`,
    (n, v) => `.with${pascal(n.id)}("${v}")`,
    (n, v) => `System.setProperty("${n.key}", "${v}");`,
    (n, v) => `@Value("\${${n.key}:${v}}")`,
    (n, v) => `${n.id} = String.valueOf("${v}")`,
  ],
  comparison: [
    (n, v) => `if (${n.id} === '${v}') {`,
    (n, v) => `if ${n.id} == "${v}":`,
    (n, v) => `if (${n.id} != "${v}") return;`,
    (n, v) => `if "${v}" == ${n.id} {`,
    (n, v) => `if (${n.id}.equals("${v}")) {`,
    (n, v) => `expect(${n.id}).toBe('${v}')`,
    (n, v) => `WHERE ${n.id} = '${v}'`,
    (n, v) => `assert_eq!(${n.id}, "${v}");`,
  ],
  'flag, header, URL': [
    (n, v) => `$ deploy --${kebab(n.key)}=${v} --region eu`,
    (n, v) => `$ deploy --${kebab(n.key)} ${v}`,
    (n, v) => `$ deploy --${kebab(n.key)} '${v}'`,
    (n, v) => `["--${kebab(n.key)}", "${v}"]`,
    (n, v) => `X-${kebab(n.key)}: ${v}`,
    (n, v) => `curl -H 'X-${kebab(n.key)}: ${v}' https://api.local`,
    (n, v) => `proxy_set_header X-${kebab(n.key)} "${v}";`,
    (n, v) => `https://api.local/v1?page=2&${n.key}=${inUrl(v)}&sort=up`,
    (n, v) => `-D${n.key}=${v}`,
    (n, v) => `helm upgrade app --set ${n.key}=${v}`,
    (n, v) => `curl -d ${n.id}=${inUrl(v)} https://api.local`,
    (n, v) => `Content-Disposition: form-data; name="${n.key}"\n\n${v}\n--`,
  ],
  'XML, HTML, plist': [
    (n, v) => `<${n.id}>${v}</${n.id}>`,
    (n, v) => `<${n.id}>\n    ${v}\n</${n.id}>`,
    (n, v) => `<add key="${n.key}" value="${v}" />`,
    (n, v) => `<property name="${n.key}" value="${v}"/>`,
    (n, v) => `<property name="${n.key}">${v}</property>`,
    (n, v) => `<property>\n  <name>${n.key}</name>\n  <value>${v}</value>\n</property>`,
    (n, v) => `<key>${n.key}</key>\n<string>${v}</string>`,
    (n, v) => `<key>${n.key}</key>\n<string>\n  ${v}\n</string>`,
    (n, v) => `<string name="${n.id}">${v}</string>`,
    (n, v) => `<dt>${n.label}</dt><dd>${v}</dd>`,
    (n, v) => `<tr><td>${n.label}</td><td>${v}</td></tr>`,
    (n, v) => `<user name="app" ${n.id}="${v}"/>`,
    (n, v) => `<input type="text" name="${n.id}" value="${v}">`,
    (n, v) => `<data name="${n.key}" xml:space="preserve">\n  <value>${v}</value>\n</data>`,
  ],
  tables: [
    (n, v) => `| Name | Value |\n|---|---|\n| ${n.label} | ${v} |`,
    (n, v) => `| host | ${n.label} |\n|---|---|\n| db.local | \`${v}\` |`,
    (n, v) => `│ ${n.label} │ ${v} │`,
    (n, v) => ` ${n.id} | ${v}`,
    (n, v) => ` user | ${n.id}\n------+---------\n app  | ${v}`,
    (n, v) => `${n.key},${v}`,
    (n, v) => `user,${n.id}\napp,${v}`,
    (n, v) => `${n.key}\t${v}`,
    (n, v) => `${n.label}:     ${v}`,
    (n, v) => `NAME    ${n.env}\napp     ${v}`,
    (n, v) => `${n.label.padEnd(24, '.')} ${v}`,
    (n, v) => `Data\n====\n${n.key}:\n----\n${v}\n\nBinaryData\n====`,
    (n, v) => `${n.key.padEnd(26)}${v}`,
  ],
  arrows: [
    (n, v) => `${n.key} -> ${v}`,
    (n, v) => `${n.key} => ${v}`,
    (n, v) => `${n.label} → ${v}`,
    (n, v) => `~ ${n.id} = "${turned(v)}" -> "${v}"`,
    (n, v) => `- ${n.id} = "${v}" -> null`,
    (n, v) => `+ ${n.id} = "${v}"`,
    (n, v) => `${n.label} ⇒ ${v}`,
    (n, v) => `${n.key} ==> ${v}`,
    (n, v) => `${n.key} >> ${v}`,
  ],
  'labels, prose': [
    (n, v) => `${n.label}: ${v}`,
    (n, v) => `${n.label} = ${v}`,
    (n, v) => `**${n.label}:** ${v}`,
    (n, v) => `**${n.label}**: \`${v}\``,
    (n, v) => `- ${n.label}: \`${v}\``,
    (n, v) => `${n.label}：${v}`,
    (n, v) => `${n.label} - ${v}`,
    (n, v) => `${n.label} – "${v}"`,
    (n, v) => `User: app, ${n.label}: ${v}`,
    (n, v) => `(${n.label}: ${v})`,
    (n, v) => `The ${n.label} is "${v}".`,
    (n, v) => `the ${n.label} is \`${v}\``,
    (n, v) => `${n.label}:\n${v}`,
    (n, v) => `${n.label}:\n\n    ${v}`,
    (n, v) => `${n.label}:\n\`\`\`\n${v}\n\`\`\``,
    (n, v) => `Use ${v} as the ${n.label}`,
  ],
  'sentence of the language': [
    (n, v) => `${oneOfLanguage(n.label)} "${v}"`,
    (n, v) => `${oneOfLanguage(n.label)} ${v}`,
    (n, v) => `${oneOfLanguage(n.label).replace(/ —$/, '')}: ${v}`,
    (n, v) => `${oneOfLanguage(n.label)} \`${v}\`.`,
  ],
}

/** Draws a way to write a name and its value. */
export function signOf(group: string, roll: Roll): { sign: Sign; number: number } {
  const signs = SIGNS[group] ?? []
  const sign = oneOf(roll, signs)
  return { sign, number: signs.indexOf(sign) }
}

/** How each language says "… is". The first words that fit the name decide. */
const SENTENCES: readonly [RegExp, (label: string) => string][] = [
  [/passwort|kennwort|schlüssel/i, (label) => `Das ${label} lautet`],
  [/wachtwoord|sleutel/i, (label) => `Het ${label} is`],
  [/lösenord|adgangskode|passord|lykilorð/i, (label) => `${label} är`],
  [/mot de passe|clé/i, (label) => `Le ${label} est`],
  [/contraseña|clave|contrasenya/i, (label) => `La ${label} es`],
  [/senha|chave/i, (label) => `A ${label} é`],
  [/chiave/i, (label) => `La ${label} è`],
  [/hasło|heslo|lozinka|geslo/i, (label) => `${label} to`],
  [/[а-яё]/i, (label) => `${label} —`],
  [/[ぁ-んァ-ヶ鍵]/, (label) => `${label}は`],
  [/\p{Script=Han}/u, (label) => `${label}是`],
  [/[가-힣]/, (label) => `${label}는`],
]

function oneOfLanguage(label: string): string {
  const sentence = SENTENCES.find(([words]) => words.test(label))
  return sentence === undefined ? `${label} is` : sentence[1](label)
}

function kebab(key: string): string {
  return key.replace(/[_.]/g, '-').replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
}

function pascal(id: string): string {
  return id.replace(/\p{L}/u, (first) => first.toUpperCase())
}

/** Leaves the marks of the value as they are. */
function inUrl(value: string): string {
  return value.replace(/[!-~]+/g, encodeURIComponent)
}

/** Another value of the same shape. */
function turned(value: string): string {
  return value.replace(/[!-~]+/, (plain) => plain.slice(0, 1) + [...plain.slice(1)].reverse().join(''))
}
