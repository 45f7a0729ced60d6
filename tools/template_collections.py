"""Expressions of random templates that give lists, dicts and what goes through them; see `template_expressions`.

It draws nothing itself.
"""

from __future__ import annotations

_LIST = r"""
5: l
4: []
3: [<any>]
4: [<text>, <text>]
2: [<any>, <any>, <any>]
2: (<any>, <any>)
(<any>,)
3: messages
2: (<message>.tool_calls or [])
2: <generator>|list
<list>|list
<text>|list
(<list> + <list>)
(<list> * <small>)
2: <list>[<slice>]
<texts>|sort
<numbers>|sort(reverse=<bool>)
<list>|sort
<dicts>|sort(attribute='n')
<dicts>|sort(attribute='a,n', case_sensitive=true)
<list>|reverse|list
<list>|unique|list
<list>|batch(<small>)|list
<list>|batch(2, <any>)|list
<list>|slice(2)|list
<list>|slice(3, <any>)|list
2: <text>.split()
2: <text>.split('a')
<text>.rsplit('b', <small>)
<text>.splitlines()
<text>.splitlines(true)
<text>.partition(',')
<dict>.keys()|list
<dict>.values()|list
<dict>.items()|list
<dict>|items|list
<dict>|dictsort
{'b': <number>, 'a': <number>}|dictsort(by='value')
{'b': <any>, 'A': <any>}|dictsort(true, 'key', reverse=<bool>)
<dicts>|groupby('a')|map(attribute=1)|first
<dicts>|groupby('n', default=0)|list
<list>.copy()
(<list> if <bool> else <list>)
(<list> or <list>)
range(<small>)|list
range(<small>, 9, 2)|list
range(5, <small>, -1)|list
<list>|map('string')|list
<list>|select|list
<list>|default([])
@ns 2: ns.l
<numbers>
<dicts>
<macro.list>
"""

_GENERATOR = r"""
<list>|map('string')
<texts>|map('upper')
<texts>|map('replace', <word>, <word>)
<texts>|map('length')
<list>|map('tojson')
<texts>|map('trim')
<texts>|map('escape')
<dicts>|map(attribute='a')
<dicts>|map(attribute='a.b', default=<any>)
<list>|map(attribute=0)
messages|map(attribute='content')
<list>|select
<list>|select('string')
<list>|select('equalto', <any>)
<numbers>|select('gt', <number>)
<list>|reject('none')
<list>|reject
<numbers>|reject('odd')
messages|selectattr('role', 'equalto', <word>)
messages|selectattr('content')
messages|rejectattr('tool_calls', 'defined')
<dicts>|selectattr('n', 'gt', <number>)
<dicts>|rejectattr('a', 'in', <list>)
<list>|reverse
<list>|unique
<dict>|items
<list>|batch(<small>)
<list>|slice(2)
"""

_DICT = r"""
5: d
4: <message>
2: {}
3: {'a': <any>}
2: {'a': <text>, 'n': <number>, <word>: <any>}
{<text>: <any>, <number>: <any>}
dict(a=<any>)
dict(<dict>, b=<any>)
dict([(<word>, <any>)])
dict.fromkeys(<texts>, <any>)
<dict>.copy()
(<dict> if <bool> else <dict>)
<dict>|default({})
(<message>.tool_calls[0].function if <message>.tool_calls else {})
<dict>.d|default({})
<dicts>|first|default({})
"""

_DICTS = r"""
[{'a': <text>, 'n': <number>}, {'a': <text>, 'n': <number>}]
[{'a': <any>, 'n': 1}]
[d, {'n': 2, 'a': {'b': <any>}}]
[]
"""

COLLECTIONS = {
    "list": _LIST,
    "generator": _GENERATOR,
    "dict": _DICT,
    "texts": "[<text>, <text>]\n[<word>, <word>, <text>]\n<text>.split()\n<text>.split('a')\n[]",
    "numbers": "[<number>, <number>]\n[<small>, <big>, <number>]\nrange(<small>)\n[1, 2.5, <number>]",
    "dicts": _DICTS,
    "slice": "1:\n:2\n:-1\n::-1\n<number>:\n<number>:<number>\n::2\n<small>:<number>:<small>\n:\n:none",
}
