"""Expressions of random templates: which there are, as productions of a grammar.

`EXPRESSIONS` has for each kind of expression one production a line; ``<kind>`` stands for an expression of that kind, a
number in front says how often the line is drawn beside the others (once unless said), and ``@place`` where it may stand
at all. Kinds that are not here are in `template_collections` or filled in by `template_grammar`. Rules: names say what
they usually hold (s and t a text, n and i a number, l a list, d a dict, x, y and z anything), so that most templates
render; nothing prints an address, uses chance or makes more than some thousand characters. It draws nothing itself.
"""

from __future__ import annotations

_TEXT = r"""
9: <word>
6: s
6: t
3: x
2: long
5: <message>.content
4: <message>.role
2: <message>['content']
2: <message>.get('content', <text>)
3: <macro>
<loop.text>
3: (<text> + <text>)
2: <text> + <text>
3: (<text> ~ <any>)
2: <any> ~ <text>
(<text> ~ <any> ~ <text>)
(<text> * <small>)
('%s' % <any>)
('a%sb' % <any>)
('<%s|%s>' % (<any>, <text>))
('%(a)s %(a)r' % {'a': <any>})
(('%5d|%-4s|%.2f|%%' % (<number>, <text>, <number>)))
2: (<text> if <bool> else <text>)
(<text> if <bool>)
<text>[<number>]|string
2: <text>[<slice>]
2: <any>|string
2: <any>|tojson
<any>|tojson(indent=<small>)
<any>|tojson(ensure_ascii=true)
<any>|tojson(sort_keys=true, separators=(',', ':'))
2: <list>|join(<text>)
<list>|join
<dicts>|join(', ', attribute='a')
<text>|join('-')
2: <text>|trim
<text>|trim(<word>)
2: <text>|upper
<text>|lower
<text>|capitalize
<text>|title
2: <text>|replace(<text>, <text>)
<text>|replace(<word>, <word>, <small>)
<text>|indent
<text>|indent(<small>)
<text>|indent(<small>, true, true)
<text>|indent(width=<word>, first=<bool>)
<text>|center(<small>)
<text>|truncate(9)
<text>|truncate(<number>)
<text>|truncate(9, true, <word>, <small>)
<text>|wordwrap(12)
<text>|wordwrap(7, false, <word>)
<text>|reverse
2: <text>|safe
2: <text>|escape
@marked 30: <text.marked>
<text>|e
<any>|forceescape
<text>|striptags
<text>|urlize
<text>|urlencode
<dict>|urlencode
<dict>|xmlattr
<any>|pprint
'%s!'|format(<any>)
'%s-%r'|format(<any>, <any>)
'%(a)s'|format(a=<any>)
<number>|filesizeformat
2: <text>|default(<text>)
<any>|default(<text>, true)
<any>|d(<text>, boolean=<bool>)
<texts>|first|default('')
<texts>|last|default('')
2: <text>.strip()
<text>.strip(<word>)
<text>.lstrip(<word>)
<text>.rstrip(<word>)
2: <text>.upper()
<text>.lower()
<text>.title()
<text>.capitalize()
<text>.swapcase()
<text>.casefold()
2: <text>.replace(<text>, <text>)
<text>.replace(<word>, <word>, <small>)
2: <text>.split('a')[0]
<text>.split(<word>)[<number>]|default('')
<text>.split('x')|last
<text>.partition('b')[0]
<text>.rpartition('a')[2]
<text>.removeprefix(<word>)
<text>.removesuffix(<text>)
<text>.center(<small>, '*')
<text>.ljust(<small>)
<text>.rjust(<small>, 'x')
<text>.zfill(<number>)
<text>.expandtabs(<small>)
<text>.join(<texts>)
<text>.join(<text>)
'{} {}'.format(<any>, <any>)
'{0}{1:>5}{0!r}'.format(<text>, <text>)
'{a} {b:{c}}'.format(a=<any>, b=<number>, c=<small>)
'{}{a}'.format(<any>, a=<any>)
<word>.format(<any>)
2: <dict>.a|default('')
<dict>['b']|string
<dict>[<text>]|d
<dict>.get(<text>, <text>)
@ns 4: ns.s
@ns (ns.s ~ <text>)
@joined 3: joined()
@cycled 3: cycled.next()
@cycled cycled.current
strftime_now('%Y-%m-%d')
dict(a=<any>, b=<text>)|tojson
(<text> or <text>)
(<text> and <text>)
[<text>, <text>][<small>]|string
{'a': <text>, <word>: <text>}.a
<text>|map('upper')|join
"""

_MARKED = r"""
3: <text>|safe
3: <text>|e
<any>|escape
<text>|forceescape
(<marked> + <text>)
(<text> + <marked>)
(<marked> * 2)
<marked>[1:]
<marked>|upper
<marked>|trim
<marked>|indent
<marked>|title
<marked>|center(9)
<marked>|default('')
<marked>|reverse
<marked>|first
<marked>|truncate(9)
<marked>|replace('a', <text>)
<marked>.replace('a', <text>)
<marked>.strip()
<marked>.lower()
<marked>.splitlines()|first|default('')
<marked>.partition('a')[0]
<marked>.join([<text>, <text>])
('%s<'|safe) % <text>
('%s<'|safe)|format(<any>)
('{}<'|safe).format(<text>)
[<text>]|map('escape')|first
[<marked>, <text>]|map('upper')|last
"""

_TEXT_OF_MARKED = r"""
3: (<marked> + <text>)
3: (<text> + <marked>)
2: <word> + <marked> + <word>
<marked> + <marked>
2: (<marked> ~ <text>)
[<marked>, <text>]|join(<word>)
[<text>, <marked>]|join(<marked>)
<marked>|string + '<'
<marked>|tojson
<marked>|list|join('<')
<marked>|wordwrap(3)
<marked>|striptags
<marked>|urlize
<marked>.split('a')|join('<')
(<marked> is escaped)|string
(<marked> == <text>)|string
{'a': <marked>}|string
(<marked>, <text>)|string
('%s' % <marked>)
'{}'.format(<marked>)
"""

_NUMBER = r"""
9: <small>
5: n
5: i
2: <big>
2: 1.5
4: <list>|length
3: <text>|length
<dict>|count
<loop.number>
2: (<number> + <number>)
2: <number> - <number>
(<number> * <number>)
(<number> / 2)
(<number> // 3)
(<number> % 7)
(<number> % <number>)
(<number> ** <small>)
-<number>
+<number>
<number>|abs
<text>|int
<text>|int(<small>, base=16)
<text>|float
<any>|float(<number>)
<number>|round
<number>|round(<small>)
<number>|round(<small>, 'floor')
<number>|round(1, 'ceil')|int
<numbers>|sum
<dicts>|sum(attribute='n')
<dicts>|sum('n', <number>)
<numbers>|max
<numbers>|min
<text>|wordcount
<text>.count(<word>)
<text>.find(<text>)
<text>.rfind(<word>)
<list>.count(<any>)
@ns 3: ns.n
(<number> if <bool> else <number>)
<number>.bit_length()
<dict>.n|default(<number>)
(<bool> + <number>)
"""

_BOOL = r"""
5: true
5: false
3: b
4: (<any> is defined)
2: (<any> is undefined)
3: (<any> is none)
3: (<any> is string)
(<any> is not string)
2: (<any> is mapping)
2: (<any> is iterable)
2: (<any> is sequence)
(<any> is number)
(<any> is integer)
(<any> is float)
(<any> is boolean)
(<any> is true)
(<any> is false)
(<any> is callable)
(<number> is even)
(<number> is odd)
(<number> is divisibleby(3))
(<number> is divisibleby 2)
(<text> is lower)
(<text> is upper)
(<text> is escaped)
(<any> is sameas none)
(<any> is eq(<any>))
(<any> is ne <any>)
(<number> is gt(<number>))
(<number> is le <number>)
(<text> is in(<list>))
(<text> is in <text>)
('upper' is filter)
(<word> is test)
4: (<any> == <any>)
2: (<text> == <text>)
2: <message>.role == <word>
2: (<any> != <any>)
2: (<number> < <number>)
(<number> >= <number>)
(<text> > <text>)
(<numbers>|list < <numbers>|list)
(<number> < <number> <= <number>)
(<any> == <any> != <any>)
(<text> in <text> == <any>)
2: (<text> in <text>)
2: (<any> in <list>)
(<any> not in <list>)
(<text> in <dict>)
('content' in <message>)
(<any> in [<word>, <any>])
(<text> in (<word>, <word>))
(<text> in [<word>, <word>])
(<any> in <generator>)
(<any> in <dict>.values())
(<number> in range(<small>))
2: not <any>
3: (<bool> and <bool>)
3: (<bool> or <bool>)
(<any> and <any>)
(<any> or <any>)
<text>.startswith(<word>)
<text>.endswith(<text>)
<text>.startswith((<word>, <word>))
<text>.isdigit()
<text>.isspace()
<text>.isupper()
<text>.isalnum()
<text>.isidentifier()
<list>
<text>
<number>
add_generation_prompt
<message>.tool_calls
(<message>.tool_calls is defined and <message>.tool_calls is not none)
<message>.content is string
<loop.bool>
@ns 2: ns.b
<loop.changed>
"""

_ANY = r"""
6: x
4: y
4: z
9: <text>
5: <number>
3: <bool>
5: <list>
4: <dict>
2: none
undefined_name
<dict>.missing
<list>[<number>]
<list>|first
<list>|last
<numbers>|max
<texts>|min
(x.a if x)
(y[0] if y)
(z['a'] if z is mapping)
(<message>.content[0].text if <message>.content is sequence and <message>.content is not string else 1)
(<message>.tool_calls[0].function.arguments if <message>.tool_calls)
@macro 2: kwargs
@macro 2: varargs
@loop loop
@ns ns
(<any> if <bool>)
(<any> if <bool> else <any>)
(<any> or <any>)
(<any> and <any>)
<any>|attr('a')
<any>|default(<any>)
<dict>|string
item
"""

EXPRESSIONS = {
    "text": _TEXT,
    "marked": _MARKED,
    "text.marked": _TEXT_OF_MARKED,
    "number": _NUMBER,
    "bool": _BOOL,
    "any": _ANY,
    "message": "@message 9: message\n5: messages[0]\n2: messages[-1]\n(messages|first)\n(messages|last)",
    "small": "0\n3: 1\n3: 2\n3: 3\n5\n12",
    "big": "255\n1000000\n12345678901234567890\n0x1f\n1_000\n1e3\n0.1\n2.5e-3",
}
