"""Usual column headings in many languages, by their words."""

import re
import unicodedata
from typing import Final

from dpviz.base.score_values import SENSITIVITY
from dpviz.data.reading.input_rules import MAX_NAME

_WORD = re.compile(r"[^\W\d_]+")
_HUMP = re.compile(r"(?<=[a-zß-ÿ])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def split_heading(heading: str) -> frozenset[str]:
    """Words of a heading in any style.

    >>> sorted(split_heading("UserID")), sorted(split_heading("song_title"))
    (['id', 'user'], ['song', 'title'])
    >>> sorted(split_heading("Počet hlasů"))
    ['hlasu', 'pocet']
    >>> sorted(split_heading("Kundennr")), sorted(split_heading("paid"))
    (['kunden', 'nr'], ['paid'])
    """
    apart = _HUMP.sub(" ", strip_accents(heading[:MAX_NAME]))
    words = [word.casefold() for word in _WORD.findall(apart)]
    return frozenset(part for word in words for part in _compound_parts(word))


def _compound_parts(word: str) -> tuple[str, ...]:
    """The word, or both parts of one such as "kundennr" and "bookid"."""
    start, end = word[:-2], word[-2:]
    is_number = end == "nr" or (end == "id" and start in PERSON | ITEMS)
    return (start, end) if start and is_number else (word,)


def strip_accents(text: str) -> str:
    """Text whose Latin, Greek and Cyrillic letters have lost their accents."""
    if text.isascii() or len(text) > MAX_NAME:  # as the time goes with the square of the length
        return text
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize(
        "NFC", "".join(part for part in parts if not "\u0300" <= part <= "\u036f")
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(strip_accents(word).casefold() for word in text.split())


PERSON: Final = _words(
    "person persons people user username userhash customer client member patient student pupil"
    " visitor reader viewer listener account respondent participant subscriber buyer caller voter"
    " household email mail who borrower citizen orcid employee worker donor teacher resident"
    " guest owner mitarbeiter mitarbeiterin spender spenderin lehrer lehrerin bewohner"
    " kunde kundin kunden nutzer nutzerin benutzer mitglied patientin besucher leser leserin"
    " teilnehmer schüler personne utilisateur client lecteur patiente adhérent élève usager"
    " persona usuario cliente paciente lector socio alumno utente lettore paziente studente"
    " usuário leitor aluno gebruiker klant lezer lid användare kund bruger kunde osoba uživatel"
    " zákazník čtenář użytkownik klient czytelnik felhasználó vevő olvasó пользователь клиент"
    " читатель покупатель человек посетитель пациент користувач χρήστης πελάτης kullanıcı müşteri"
    " ユーザー 利用者 顧客 会員 用户 客户 会员 사용자 고객 回答者"
)
ITEMS: Final = _words(
    "item items name names title label product article song track film movie book query search page"
    " category choice answer topic city place country region word what tree species artist album"
    " station stop street district area team party candidate course dish drug medicine brand"
    " restaurant museum app game repo repository url site domain tag hashtag term keyword author"
    " department genre subject question option language breed colour color model"
    " artikel produkt titel bezeichnung thema ort stadt land gemeinde bezirk wort buch lied seite"
    " baum partei frage antwort begriff suchbegriff straße haltestelle gericht"
    " nom titre produit livre ville lieu pays mot chanson rue arrêt quartier commune arbre"
    " nombre título producto libro ciudad lugar país palabra canción calle barrio árbol"
    " nome titolo prodotto libro città luogo paese parola canzone livro cidade país palavra produto"
    " naam boek stad plaats woord namn bok stad navn bog nimi kirja kaupunki"
    " název jméno město obec kniha slovo místo strom položka nazwa tytuł miasto książka słowo"
    " név cím város könyv település szó nume oraș carte naziv grad knjiga"
    " название имя город книга слово товар наименование продукт место назва місто"
    " όνομα πόλη τίτλος βιβλίο προϊόν ad isim şehir kitap ürün"
    " 名前 名 商品 品名 都市 市区町村 書名 题名 タイトル 名称 城市 书名 产品 项目 項目 이름 도시 상품 제목"
    " اسم مدينة שם עיר"
)
GROUPS: Final = _words(
    "category categories region country state type genre group department author class section"
    " continent kategorie land bundesland gruppe art abteilung autor catégorie région pays type"
    " categoría región país tipo categoria regione regiao kategorie kraj kategoria regija"
    " категория регион страна тип группа 分類 地域 类别 地区 범주"
)
"""Headings of items that often stand beside the items proper."""
COUNTS: Final = _words(
    "score scores count counts value values frequency freq total votes points sum amount number"
    " visits views loans calls people users customers clients members patients students visitors"
    " readers viewers listeners voters n cnt num quantity qty stars likes downloads clicks orders"
    " hits plays sold sales cases deaths population inhabitants borrowings checkouts requests"
    " mentions searches purchases tickets passengers uses times entries responses answers copies"
    " subscribers followers shares births uses installs commits forks issues impressions"
    " bookings reservations reviews sessions pageviews events streams draws wins goals upvotes"
    " retweets boosts favourites favorites replies units holds renewals trips rides"
    " rentals registrations signups"
    " anzahl zahl summe stimmen punkte wert besuche menge ausleihen einwohner fälle aufrufe"
    " bestellungen häufigkeit verkauft stück nennungen fahrgäste zugriffe teilnehmerzahl"
    " effectif compte voix prêts visites ventes quantité habitants fréquence nb cas"
    " recuento cantidad votos préstamos visitas ventas número casos habitantes frecuencia total"
    " cuenta conteggio numero voti prestiti visite vendite quantità abitanti casi contagem quantidade"
    " empréstimos vendas casos aantal stemmen antal antall röster lån määrä äänet"
    " počet hlasů hlasy výpůjčky množství obyvatel obyvatelé liczba głosy ilość wypożyczenia"
    " szám mennyiség darab szavazat kölcsönzés lakosság număr voturi broj glasova"
    " количество число голоса голосов сумма выдач посещений население кількість число голосів"
    " αριθμός πλήθος ψήφοι σύνολο sayı adet oy miktar toplam"
    " 数 件数 個数 人数 回数 票数 数量 冊数 得票数 合計 次数 总数 借阅 投票 수 개수 인원 표 횟수 עד عدد العدد מספר כמות"
)
MEASURES: Final = _words(
    "price cost weight percent percentage pct share rate ratio lat lon lng long latitude longitude"
    " age height width length depth temperature temp size rating grade average avg mean median std"
    " distance duration area_km elevation altitude probability x y z km kg eur usd discount margin"
    " preis gewicht prozent anteil quote alter größe breite höhe länge note temperatur kosten"
    " durchschnitt entfernung dauer prix poids pourcentage part âge taux hauteur précio precio peso"
    " porcentaje edad prezzo percentuale età preço percentagem idade prijs gewicht leeftijd pris"
    " vikt cena váha věk podíl procent výška waga wiek udział ár súly kor цена вес доля возраст"
    " процент рейтинг τιμή βάρος ποσοστό fiyat ağırlık yüzde yaş 価格 値段 割合 年齢 重さ 价格 比例 年龄 가격 비율"
)
PROPERTIES: Final = _words(
    "age ages alter âge edad età idade leeftijd ålder alder ikä věk vek wiek kor vârsta возраст вік"
    " ηλικία yaş 年齢 年龄 나이 연령 العمر גיל lat latitude breitengrad lon lng long longitude längengrad"
)
"""Headings of ages and of coordinates, which are no scores of who or what has them."""
DATES: Final = _words(
    "date time timestamp datetime day month year week period quarter semester season zeitraum quartal"
    " saison periode période período trimestre created updated when hour datum zeit jahr"
    " monat uhrzeit tag woche zeitpunkt année mois jour heure fecha año mes día hora data anno mese"
    " giorno ano mês dia maand jaar dag år måned rok měsíc den čas miesiąc dzień év hónap nap idő"
    " дата год месяц день время ημερομηνία έτος tarih yıl ay gün 日付 年 月 日 日期 时间 날짜 년 연도"
)
IDS: Final = _words(
    "sequence seq version pin"
    " id ids uid uuid guid userid index row no nr key code rank session hash rang lfd kennung pos position"
    " isbn issn ean gtin upc asin sku doi barcode vin iban ip zip zipcode postcode postal plz"
    " phone telephone tel extension durchwahl fax mobile ssn fips iata icao nuts ags serial number_id platz"
    " telefon telefonnummer handy postleitzahl nummer kennziffer ausweis signatur artikelnummer"
    " téléphone téléphonique cp codepostal código teléfono telefono cap cep codice telefone"
    " psč telefonní ičo kód číslo kod telefon pozycja irányítószám telefonszám"
    " телефон индекс код номер ранг място место_в τηλέφωνο κωδικός posta kodu sıra"
    " 番号 電話 郵便番号 コード 順位 编号 电话 邮编 排名 번호 전화 우편번호 순위 numéro"
)
NOTES: Final = _words(
    "note notes comment comments remark remarks description text url link source image address"
    " kommentar bemerkung beschreibung quelle hinweis adresse commentaire remarque comentario nota"
    " poznámka uwagi megjegyzés примечание комментарий описание"
)
CALLED: Final = _words(
    "name first last full given vorname nachname prénom nom jméno příjmení имя фамилия"
)
"""Headings of people, if their choice stands in another column."""
_TOTAL_NAMES = (
    "total|totals|grand total|subtotal|sub total|sub-total|overall|overall total|sum|"
    "sum total|all|all items|total sum|total all|column total|totale|totaal|totalt|"
    "tot|ges|σ|∑|total general|total geral|total général|total générale|ensemble|somme|sous-total|suma|"
    "suma total|gesamt|insgesamt|summe|gesamtsumme|zusammen|alle|zwischensumme|"
    "gesamtergebnis|endsumme|somma|complessivo|soma|subtotaal|som|summa|i alt|sammanlagt|"
    "yhteensä|celkem|součet|celkový součet|mezisoučet|spolu|razem|ogółem|łącznie|összesen|"
    "összeg|végösszeg|ukupno|skupaj|итого|всего|общий итог|сумма|промежуточный итог|разом|"
    "усього|всього|σύνολο|γενικό σύνολο|toplam|genel toplam|合計|総計|計|小計|总计|合计|小计|總計|합계|총계|"
    '총합|소계|总和|共计|المجموع|الإجمالي|جمع|جمع کل|کل|סה"כ|סה״כ|סך הכל|कुल|कुल योग|योग|মোট|மொத்தம்|'
    "รวม|รวมทั้งหมด|ยอดรวม|tổng|tổng cộng|tổng số|jumlah|jumlah total|kabuuan|jumla|"
    "kokku|kopā|pavisam|iš viso|viso|bendra suma|общо|всичко|укупно|вкупно|samtals|alls|sveukupno|"
    "sumár|medzisúčet|guztira|gjithsej|ընդամենը|სულ|барлығы|cəmi|iomlán|cyfanswm|totalsumma|"
    "deltotal|delsumma|välisumma|részösszeg|suma końcowa|suma częściowa|ara toplam|sous total|"
    "άθροισμα|γενικό άθροισμα|kopsumma|총합계|shuma|סך הכול|hovedtotal|totalsum|loppusumma|"
    "total keseluruhan|المجموع الكلي|المجموع العام|tổng số cộng|загальний підсумок|обща сума|"
    "общ сбор|sveukupan zbroj|zbroj|zbir|skupna vsota|vsota|yhteissumma|heildarsamtala|total general|"
    "total parcial|total parziale|totale generale|totale complessivo|eindtotaal|celkový součet"
)
_MEAN_NAMES = (
    "average|averages|mean|median|overall average|grand mean|durchschnitt|mittelwert|moyenne|"
    "médiane|promedio|mediana|gemiddelde|gemiddeld|medelvärde|gennemsnit|keskiarvo|"
    "průměr|średnia|átlag|prosjek|среднее|в среднем|медиана|середнє|μέσος όρος|ortalama|平均|平均値|均值|평균"
)


def _folded_names(names: str) -> frozenset[str]:
    return frozenset(map(str.casefold, map(strip_accents, names.split("|"))))


YES: Final = _folded_names(
    "1|1.0|true|yes|y|t|x|✓|✔|☑|○|◯|ok|checked|selected|quoted|ja|j|wahr|oui|vrai|si|verdadero|vero"
    "|sim|waar|ano|pravda|tak|prawda|igen|igaz|evet|doğru|kyllä|да|истина|так|ναι|כן|نعم|はい|是|예|네"
)
NO: Final = _folded_names(
    "0|0.0|false|no|n|f|-|×|✗|✘|☐|unchecked|not selected|not quoted|nein|falsch|non|faux|falso|não"
    "|nee|onwaar|ne|nie|nepravda|fałsz|nem|hamis|hayır|yanlış|nej|nei|ei|нет|ложь|ні|όχι|לא|لا"
    "|いいえ|否|아니요|"
)
"""Marks of columns in which each row says yes or no, a blank one among them."""
MEANS: Final = _folded_names(_MEAN_NAMES)
TOTALS: Final = _folded_names(_TOTAL_NAMES) | MEANS
"""Names of rows that add up the others, or give their mean."""
_EDGES = " \t.:;,*#()[]=-–—_"


def is_total_or_mean_name(name: str) -> bool:
    """True for the name of a row that adds up the others, or gives their mean.

    >>> is_total_or_mean_name("Grand Total:"), is_total_or_mean_name("Total Recall"), is_total_or_mean_name("ИТОГО")
    (True, False, True)
    """
    bare = _bare_name(name)
    return bare in TOTALS or "".join(bare.split()) in TOTALS  # as in "合 计"


def is_mean_name(name: str) -> bool:
    return _bare_name(name) in MEANS


def _bare_name(name: str) -> str:
    return strip_accents(name).casefold().strip(_EDGES)


def may_be_total_name(name: str) -> bool:
    """True for a name with such a word at one end, as "Total North", or without a letter."""
    text = _bare_name(name)
    words = text.split()
    return not words or is_total_or_mean_name(words[0]) or is_total_or_mean_name(words[-1])


def has_word(words: frozenset[str], known_words: frozenset[str]) -> bool:
    """True if a word is among these, or a compound that ends in one of them."""
    return bool(words & known_words) or any(
        # a long last part, and any in Chinese, Japanese and Korean
        word.endswith(part) and (part[0] >= "\u2e80" or (len(word) >= 8 and len(part) >= 4))
        for word in words
        if not word.endswith("number")  # which may be a count or a code
        for part in known_words
    )


def is_ambiguous_number_heading(words: frozenset[str]) -> bool:
    """True for "card number", which may tell cards apart, or visitors counted."""
    return "number" in words and len(words) == 2 and not words & (COUNTS - {"number"})


def is_sensitivity_heading(heading: str) -> bool:
    """True for the column of each item's own sensitivity, which goes by this word alone."""
    return heading.strip().casefold() == SENSITIVITY


_ALL_HEADINGS: Final = PERSON | ITEMS | GROUPS | COUNTS | MEASURES | DATES | IDS | NOTES | CALLED


def is_usual_heading(heading: str) -> bool:
    """True for a usual heading such as "user" or "item", so that its row is no data."""
    return bool(split_heading(heading) & (PERSON | ITEMS | COUNTS | DATES | IDS | MEASURES))


def has_only_heading_words(text: str) -> bool:
    """True if every word is that of a heading, as in "Product name", and so it names no thing."""
    words = split_heading(text)
    return bool(words) and words <= _ALL_HEADINGS
