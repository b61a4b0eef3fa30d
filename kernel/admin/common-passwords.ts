/** Words of one list, written as text so that the file stays a list. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Whole passwords that guessing programs try first, lower case; all of them long enough to pass the length rule. */
export const COMMON_PASSWORDS: ReadonlySet<string> = words(`
  0123456789 01234567890 0987654321 1029384756 1111122222 1111111111 1111111112 1122334455 11223344556677 1212121212
  1213141516 1231231230 1231231231 123123123123 1232323232 123321123321 1234512345 1234554321 123456123456 1234567890
  12345678900 12345678901 123456789010 1234567890123 12345678910 1234567891011 123456789a 123456789abc 123456789q
  1234567890a 1234567890q 123456789123 123456789987 1234567899 123456789z 12345678987654321 12345qwert 1234abcd1234
  1234qwer1234 1234qwerasdf 123abc123abc 123qwe123qwe 123qweasdzxc 1357924680 135792468 1472583690 147258369 147852369
  1597532468 159357159357 15975312345 1a2b3c4d5e 1a2s3d4f5g 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i9o0p
  1qa2ws3ed4rf 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qaz1qaz1qaz 2wsx3edc4rfv 3141592653 31415926535 3edc4rfv5tgb
  456456456456 5201314520 5432112345 543216789 6666666666 7777777777 789456123 7894561230 789789789789 8888888888
  9517538520 963852741 9638527410 987654321 9876543210 98765432101 987654321a 9999999999 999999999999 0000000000
  a1b2c3d4e5 a1s2d3f4g5 a123456789 a1234567890 aa12345678 aa123456789 aaaaaaaaaa aaa111bbb222 abc123abc123 abc123456789
  abcabcabcabc abcd123456 abcd1234abcd abcd12345678 abcde12345 abcdef1234 abcdef123456 abcdefg123 abcdefgh1234
  abcdefghij abcdefghijk abcdefghijkl abcdefghijklmnopqrstuvwxyz abcdefg1234567 access1234 accessdenied adidasadidas
  adgjmptw123 admin12345 admin123456 admin1234567890 admin@admin admin@1234 adminadmin adminadminadmin administrador
  administrateur administrator administrator1 alexander1 alexandria aleksandra alejandra1 alessandra alessandro
  allyouneedislove amsterdam1 anastasia1 angel12345 angelina123 anthony123 apple12345 apples1234 aquarius12 argentina1
  arsenal123 asd123asd123 asd123456789 asdasdasd123 asdasdasdasd asdf123456 asdf1234asdf asdfasdfasdf asdfghjkl1
  asdfghjkl123 asdfghjkl; asdfghjklqwertyuiop asdfqwerzxcv asdfzxcv1234 ashley1234 azerty1234 azerty123456 azertyuiop
  azertyuiop123 azsxdcfvgb babygirl12 backspace1 baseball12 baseball123 basketball basketball1 batman1234 beautiful1
  beautifulday benjamin12 bestfriend bestfriends billybob12 birthday12 blackberry blackberry1 blink18212 bluebird12
  booboo1234 bubbles123 butterfly1 butterfly123 californi california california1 cambiame123 carolina12 catherine1
  champion12 changeit123 changeme01 changeme12 changeme123 changeme1234 changeme12345 changemenow changethis
  charlie123 chelsea123 chicken123 chocolate1 chocolate123 christian1 christina1 christine1 christmas1 christopher
  cinderella cjkysirj123 claudia123 cocacola12 computador computer01 computer12 computer123 confidential consuelo12
  contrasena contraseña contrasena1 contrasena123 cookie1234 correcthorsebatterystaple cristiano7 cristina12 crocodile1
  customer123 database123 daniel1234 darkknight darkness12 default123 default1234 defaultpassword demo123456 demodemo12
  deutschland diamond123 dinosaur12 dolphin123 dragon1234 dragonball dragonballz dragon12345 einstein12
  elephant12 elizabeth1 elizabeth123 emmanuel12 enterprise enterprise1 everything facebook12 facebook123 familia123
  fernando12 flamengo12 football01 football10 football12 football123 forgetmenot forever123 francesco1 francisco1
  frankenstein freedom123 friendship fyfcnfcbz123 gabriella1 galatasaray galina1234 gfhjkm1234
  ghbdtnghbdtn godisgood1 godzilla12 goldfish12 goodmorning goodluck12 google1234 grandmother greenday12 guest12345
  hallo12345 hallohallo happybirthday happyday12 harrypotter harrypotter1 hello12345 hello123456 hellohello hellokitty
  hellokitty1 helloworld helloworld1 helpdesk12 highschool hollywood1 honeybunny iloveyou01 iloveyou12 iloveyou123
  iloveyou1234 iloveyou2 iloveyou22 iloveyou3000 iloveyoubaby iloveyouso iloveyousomuch iloveu1234 ilovemymom
  internet12 internet123 jackson123 jasmine123 jennifer12 jennifer123 jessica123 jesus12345 jesuschrist jesuslovesme
  jordan1234 jonathan12 juventus12 kawasaki12 killer1234 kristina12 leonardo12 letmein123 letmein1234 letmeinnow
  letmeinplease liverpool1 liverpool12 liverpool123 livestrong logmein123 lollipop12 london1234 loveforever loveisblind
  lovelove12 lovely1234 loveme1234 loveyou123 manchester manchester1 margarita1 marseille1 master1234 maverick12
  mercedes12 metallica1 michael123 michelle12 microsoft1 midnight12 minecraft1 minecraft123 monalisa12 money12345
  monkey1234 monkey12345 mother1234 motocross1 mustang123 mypassword mypassword1 mypassword123 mynameis12
  naruto1234 nathalie12 nederland1 newpass123 newpassword newpassword1 nicholas12 nightmare1 ninja12345 nintendo12
  nopassword nothing123 november11 office2016 office365! olivia1234 onetwothree operator12 orange1234 p4ssw0rd123
  p@55w0rd123 p@ssw0rd01 p@ssw0rd1 p@ssw0rd12 p@ssw0rd123 p@ssw0rd1234 p@ssw0rd! p@ssword123 p@ssword1 pa$$w0rd12
  pa$$w0rd123 pa$$word123 parola1234 pass1234567 pass123456 pass12345678 pass123pass passpass12 passpass123 passport12
  passw0rd01 passw0rd12 passw0rd123 passw0rd1234 passw0rd123! passwd1234 password00 password01 password02 password10
  password11 password12 password123 password1234 password12345 password123456 password21 password22 password77
  password99 passwordpassword passwort12 passwort123 passwort1234 penelope12 pepper1234 philadelphia picture1234
  playstation playstation1 playstation3 pokemon123 portugal12 princess01 princess12 princess123 principe12 qazwsx1234
  qazwsx123456 qazwsxedc1 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxsw1234 qazxswedc123 qq12345678 qq123456789
  qwaszx1234 qwe123qwe123 qwe123456789 qweasd1234 qweasdzxc1 qweasdzxc123 qweqweqwe1 qweqweqweqwe qwer123456 qwer1234qwer
  qwer12345678 qwerasdfzxcv qwert12345 qwert123456 qwerty0987 qwerty1234 qwerty12345 qwerty123456 qwerty1234567
  qwerty123456789 qwertyasdf qwertyasdfgh qwertyqwerty qwertyui12 qwertyuiop qwertyuiop1 qwertyuiop12 qwertyuiop123
  qwertyuiop[] qwertyuiop[]\\ qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwertz1234 qwertzuiop qwertzuiop123
  q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 rainbow123 rammstein1 realmadrid realmadrid1 rebecca123 redsox2004 remember12
  robert1234 rootroot12 rootpassword rootroot123 rush211212 sagittarius salasana12 salasana123 samantha12 sandwich12
  scarface12 schalke041 schatz1234 scooby1234 scorpion12 secret1234 secret12345 secret123456 secretpassword security1
  security12 senha12345 senha123456 shadow1234 shadow12345 skywalker1 slipknot12 snowboard1 snowflake1 softball12
  something1 southpark1 spiderman1 spiderman123 spongebob1 spongebob12 starwars12 starwars123 stephanie1 strawberry
  strawberry1 streetball summer2020 summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 sunflower1
  sunshine01 sunshine12 sunshine123 superman12 superman123 superstar1 supervisor superuser1 sweetheart sysadmin12
  system1234 systemadmin teddybear1 telephone1 temp123456 temporal123 temporary1 test123456 test1234567 test12345678
  test123test testtest12 testtest123 testtesttest testpassword thebeatles thisisapassword threelions timberlake tinkerbell
  tottenham1 trustno1trustno1 trustnoone undertaker university unbelievable user123456 valentina1 valentine1 vancouver1
  vanhalen12 vendredi13 verygoodpassword victoria12 vkontakte1 volkswagen waheguru12 wasser1234 watermelon welcome001
  welcome01! welcome123 welcome1234 welcome12345 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025
  welcome2026 welcomehome westham123 whatever12 whatever123 williams12 windows123 winter2020 winter2021 winter2022
  winter2023 winter2024 winter2025 winter2026 wolverine1 woaini1314 woaini1314520 woaini520520 xxxxxxxxxx yamaha1234
  yellow1234 yugioh1234 zaq12wsx34 zaq1xsw2cde3 zaq1zaq1zaq1 zaqwsx1234 zaqxswcde123 zxcv123456 zxcvasdfqwer zxcvb12345
  zxcvbn1234 zxcvbnm123 zxcvbnm1234 zxcvbnm,./ zxcvbnmasdfghjkl zxczxczxc123 zzzzzzzzzz
`)

/** Words people start from when a rule asks for length; `COMMON_TAILS` is what they then append. */
export const COMMON_STEMS: ReadonlySet<string> = words(`
  password passw0rd p@ssword p@ssw0rd pa$$word pa$$w0rd passwort passwd parola salasana contrasena senha motdepasse wachtwoord
  qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc 1qaz2wsx 1q2w3e4r abc abcd abcdef
  abcdefgh admin administrator root user guest test testing tester demo default changeme change letmein login welcome
  hello secret security master manager modulus company office server service system temp temporary internet computer
  iloveyou iloveu loveyou lovely love angel princess prince sunshine rainbow flower butterfly chocolate cookie summer
  winter spring autumn monday friday january february march april june july august september october november december
  football soccer baseball basketball hockey golf tennis liverpool arsenal chelsea barcelona juventus realmadrid dragon
  monkey tiger lion eagle panther dolphin shadow superman batman spiderman starwars pokemon naruto matrix ninja michael
  daniel jessica jennifer ashley charlie thomas robert george jordan andrew maria anna alexander london paris berlin
  google facebook youtube microsoft windows samsung apple iphone whatever trustno1 freedom family friends killer hunter
  money mercedes ferrari porsche mustang harley yamaha corvette diamond silver golden orange purple yellow pepper ginger
  123456 1234567 12345678 123456789 1234567890 987654321 111111 000000 123123 654321 112233 121212 666666 777777 888888
`)

export const COMMON_TAILS: readonly string[] = [
  ...words(`
    ! !! !!! . ? @ # $ * 1 1! 1. 12 12! 123 123! 123. 123!! 123? 123@ 123# 1234 1234! 12345 12345! 123456 123456! 1234567
    12345678 123456789 1234567890 !1 !12 !123 !1234 @1 @12 @123 @1234 #1 #123 #1234 $1 $123 01 01! 007 00 000 10 11 111
    1111 22 222 321 33 333 4321 54321 55 555 66 666 69 77 777 88 888 99 999 9999 abc a aa q qwe qwerty xyz xxx -1 _1 _123
    2000 2010 2015 2018 2019 2020 2020! 2021 2021! 2022 2022! 2023 2023! 2024 2024! 2025 2025! 2026 2026! 2027 2027!
    @2020 @2021 @2022 @2023 @2024 @2025 @2026 #2024 #2025 #2026
  `),
]
