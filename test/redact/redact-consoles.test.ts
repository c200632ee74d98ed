import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { drawer } from './redact-corpus.ts'

const P = 'Qm82nL!wXz0'
const T = drawer(41)(40)

describe('a password that a console takes without a name is found', () => {
  it.each([
    `127.0.0.1:6379> AUTH ${P}`,
    `AUTH default ${P}`,
    `redis> auth ${P}`,
    `redis-cli -h r auth ${P}`,
    `HELLO 3 AUTH default ${P}`,
    `CONFIG SET requirepass ${P}`,
    `config set masterauth ${P}`,
    `ACL SETUSER ada on >${P} ~* +@all`,
    `USER ada\r\nPASS ${P}\r\n`,
    `a1 LOGIN ada ${P}`,
    `sqlplus app/${P}@//db:1521/XE`,
    `sqlplus -s app/${P} @run.sql`,
    `SQL> CONNECT app/${P}@XE`,
    `conn sys/${P} as sysdba`,
    `impdp userid=app/${P}@XE directory=d`,
    `rman target sys/${P}@XE`,
    `rabbitmqctl add_user app ${P}`,
    `rabbitmqctl -n r@h change_password app "${P}"`,
    `lftp -u ada,${P} sftp://h`,
    `smbclient //h/s -U ada%${P} -c ls`,
    `snmpwalk -v2c -c ${P} 10.0.0.1`,
    `snmpwalk -v3 -u a -A ${P} -x AES h`,
    `ipmitool -H h -U a -P ${P} power on`,
    `mosquitto_sub -u a -P ${P} -t x`,
    `cqlsh h -u a -p ${P}`,
    `plink -pw ${P} a@h`,
    `xfreerdp /v:h /u:a /p:${P}`,
    `net user ada ${P} /add`,
    `net use X: \\\\h\\s ${P} /user:ada`,
    `schtasks /create /ru a /rp ${P}`,
    `wpa_passphrase Home ${P}`,
    `nmcli dev wifi connect Home password ${P}`,
    `etcdctl --user root:${P} get /a`,
    `vault login ${T}`,
    `dotnet user-secrets set "Db:Password" "${P}"`,
    `npm config set //r.io/:_authToken ${T}`,
    `consul kv put app/db-password ${P}`,
    `snmp-server community ${P} RO`,
    `radius-server host h key 7 ${P}`,
    `enable secret 0 ${P}`,
    `username ada privilege 15 password 0 ${P}`,
    `DSN: app:${P}@tcp(db:3306)/app`,
    `sql.Open("mysql", "app:${P}@unix(/tmp/m.sock)/x")`,
    `##vso[task.setvariable variable=X;issecret=true]${P}`,
    `##vso[task.setvariable variable=API_TOKEN]${T}`,
    `::add-mask::${P}`,
    `cargo login ${T}`,
    `cloudflared service install ${T}`,
    `INSERT INTO users (name, password) VALUES ('ada', '${P}');`,
    `INSERT INTO users (id, name, password) VALUES (1, lower('a'), '${P}');`,
    `UPDATE users SET password = crypt('${P}', gen_salt('bf'));`,
    `ALTER USER sys IDENTIFIED BY ${P};`,
    `db.changeUserPassword("ada", "${P}")`,
    `kinit ada <<< ${P}`,
    `echo ${P} | kinit ada@CORP`,
    `ppp chap password 0 ${P}`,
    `pre-shared-key ${P}`,
    `<b>Password:</b> ${P}`,
    `Password: <code>${P}</code>`,
    `user;password\nada;${P}`,
    `secrets:\n  db: ${P}`,
    `rclone obscure ${P}`,
    `qpdf --encrypt "" ${P} 256 -- a b`,
    `qpdf --encrypt "$USER_PW" ${P} 256 -- a b`,
    `'db_password': ${P}\nport: 1`,
    `t["password"] = [[${P}]]`,
    `mc alias set minio http://h:9000 admin ${P}`,
    `ssh-keygen -t rsa -N "${P}" -f id`,
    `cypher-shell -u neo4j -p ${P}`,
    `az sql server create -u a -p ${P}`,
    `keytool -importkeystore -srcstorepass ${P} -v`,
    `aws ssm put-parameter --name /db/password --value "${P}" --type SecureString`,
    `echo -n "${P}" | gcloud secrets create db --data-file=-`,
    `vercel env add API_KEY production <<< "${T}"`,
    `client.username_pw_set("ada", "${P}")`,
    `<wsse:Password Type="x">${P}</wsse:Password>`,
    `twine upload -u __token__ -p ${T} dist/x`,
    `winrs -r:h -u:ada -p:${P} cmd`,
    `gh auth login --with-token <<< "${T}"`,
    `wrangler secret put API_KEY <<< ${T}`,
    `expect "password:" ; send "${P}\\r"`,
    `WIFI:T:WPA;S:Home;P:${P};;`,
    `smtp.login("ada@x.io", "${P}")`,
    `new PDO("mysql:host=h", "root", "${P}")`,
    `mysqli_connect('h', 'root', '${P}', 'app')`,
    `DriverManager.getConnection(url, "app", "${P}")`,
    `new NetworkCredential("ada", "${P}")`,
    `jwt.sign(payload, "${P}", { expiresIn: "1h" })`,
    `new Twilio("AC1", "${P}")`,
    `New-Object PSCredential("app", ("${P}" | ConvertTo-SecureString -AsPlainText -Force))`,
    `ConvertTo-SecureString -AsPlainText "${P}" -Force`,
    `variable "db_password" {\n  type = string\n  default = "${P}"\n}`,
  ])('%s', (text) => {
    const redacted = redactText(text).text
    expect(redacted).not.toContain(text.includes(T) ? T : P)
    expect(redactText(redacted).text).toBe(redacted)
    expect(redactText(JSON.stringify({ text })).text).not.toContain(text.includes(T) ? T : P)
  })

  it.each([
    'AUTH required by RFC2617',
    'AUTH LOGIN',
    'the auth middleware2 runs',
    'connect client/server2 now',
    'rabbitmqctl add_user <name> <password>',
    'rabbitmqctl add_user username password',
    'def add_user self name1',
    'sqlplus user/password@host',
    'lftp -u user,password h',
    'snmpwalk -v2c -c public 10.0.0.1',
    'user:password@tcp(db:3306)/app',
    '"%s:%s@tcp(%s:%d)/%s"',
    'dsn := user + ":" + pass + "@tcp(" + host + ")"',
    '##vso[task.setvariable variable=buildId]20260821.1a',
    '##vso[task.setvariable variable=X;issecret=true]$(token)',
    '##vso[task.setvariable variable=X_SECRET;issecret=true]clear;x-azurl,https://h/cache1',
    '::add-mask::$TOKEN',
    'net user ada * /add',
    'nmcli dev wifi list',
    'username admin role network-admin',
    'git config set user.name ada99',
    'LOGIN page2 opens',
    'ALTER TABLE a ADD b int IDENTIFIED BY default;',
    "INSERT INTO users (name, password) VALUES ('ada', '$1');",
    "INSERT INTO users (password, name) VALUES (NULL, 'Value12a');",
    'secrets:\n  db: ${{ secrets.DB1 }}\n  on: value1',
    'char password[8];\nint x1 = read2(y);',
    'az deployment group create -p name=Value12!',
    '<password type="x1" min="Value12a"/>',
    'jwt.sign(payload, process.env.KEY1)',
    'jwt.verify(token, "RS256")',
    'createHmac("sha256", secret1)',
    'auth.login("github", "read:user")',
    'variable "db_password" {\n  default = ""\n}',
    'variable "db_password" {\n  type = string\n}\nvariable "x" {\n  default = "Value12a"\n}',
  ])('%s stays', (text) => expect(redactText(text)).toEqual({ text, found: [] }))
})

it('of two passwords each is judged, and neither a variable nor the end of a here-document is one', () => {
  const both = redactText(`qpdf --encrypt ${P} ${P}b 256 -- a b`).text
  expect(both).toMatch(/^qpdf --encrypt \[REDACTED:[^\]]*\] \[REDACTED:[^\]]*\] 256 -- a b$/)
  expect(redactText(`qpdf --encrypt ${P} "$OWNER_PW" 256 -- a b`).text).toContain('"$OWNER_PW"')
  const typed = redactText(`passwd ada <<PASSWD\n${P}\nPASSWD\n`).text
  expect(typed).toMatch(/^passwd ada <<PASSWD\n\[REDACTED:[^\]]*\]\nPASSWD\n$/)
})

it.each(["'password': settings.password2,\n", '"token": refreshToken2\n', "'password': getPassword(1)\n"])(
  'code after a quoted name stays: %s',
  (text) => {
    expect(redactText(text).text).toBe(text)
  },
)
