"""What templates do with the chat of `shown`: expressions a line, and statements, each under its name.

`EXACT` are followed character by character; what `LOOSE` gives may be derived; `JSON` prints values, so that their
leaves can be asked for. Lines of a statement are put together without a newline.
"""

from __future__ import annotations

EXACT = r"""
messages[0].content
messages[0]['content']
messages[0].get('content')
messages[0].get('nothing', messages[0].content)
(messages|first).content
(messages|last).content[0].text
messages[0].many[1]
messages[0].many[-1]
messages[0].many[messages|length - 2]
messages[0].number
messages[0].fraction
messages[0].content ~ messages[1].content
messages[0].content + '!' + messages[1].content
('<' ~ messages[0].content ~ '>')|trim('<')
messages[0].content * 2
messages[0].content[1]
messages[0]['content'][2]
messages[0].content[-2]
messages[0].content[1:8]
messages[0].content[::-1]
messages[0].content[1:][1:][::2]
(messages[0].content if messages[0].flag else 'x')
(messages[0].nothing or messages[0].content)
(messages[0].flag and messages[0].content)
(messages[0].content or 'x')
messages[0].content|trim
messages[0].content|trim('ж ')
messages[0].content|string
messages[0].content|safe
messages[0].content|safe|trim
messages[0].content|upper
messages[0].content|lower
messages[0].content|capitalize
messages[0].content|replace(' ', '_')
messages[0].content|replace('zqalpha', messages[1].content)
messages[0].content|replace('ж', '', 1)
'a-b'|replace('-', messages[0].content)
messages[0].content|default('x')
messages[0].nothing|default(messages[0].content)
messages[0].nothing|d(messages[0].many)
messages[0].content|list
messages[0].content|list|join
messages[0].content|list|join('.')
messages[0].content.strip()|first
messages[0].content|trim|last
messages[0].content|reverse
messages[0].content|center(40)
messages[0].content|indent(2, true)
(messages[0].content ~ '\n' ~ messages[1].content)|indent
messages[0].content|batch(3)|list
messages[0].content|slice(3)|list
messages[0].content|sort|join
messages[0].content|unique|list
messages[0].content|map('upper')|join
messages[0].content|select|list
messages[0].many
messages[0].many|string
messages[0].many|first
messages[0].many|last
messages[0].many|list
messages[0].many|join(', ')
messages[0].many|reverse|list
messages[0].many|sort
messages[0].many|unique|list
messages[0].many|min
messages[0].many|max
messages[0].many|batch(1)|list
messages[0].many|slice(2)|list
messages[0].many|map('upper')|list
messages[0].many|map('trim')|join
messages[0].many|select('string')|list
messages[0].many|reject('number')|list
messages[0].many + ['x'] + [messages[0].content]
messages[0].many * 2
messages[0].many[1:]
messages[0].many[::-1]
(messages[0].many|first).split()[1]
(messages[0].many + messages[0].pairs[0])|join
messages[0].pairs|sum(start=[])
messages[0].pairs|first|last
messages[0].pairs[0][1]
messages[0].object
messages[0].object|items|list
messages[0].object.items()|list
messages[0].object.keys()|list
messages[0].object.values()|list
messages[0].object|list
messages[0].object|first
messages[0].object|join(',')
messages[0].object|dictsort
messages[0].object|dictsort(by='value')
messages[0].object|map('upper')|list
messages|map(attribute='content')|list
messages|map(attribute='content')|first
messages|map(attribute='object.zqkeya', default='x')|list
messages|selectattr('role', 'equalto', 'assistant')|map(attribute='content')|join
messages|rejectattr('role', 'equalto', 'user')|map(attribute='content')|join
messages|groupby('role')|map(attribute=1)|map('first')|map(attribute='content')|list
(messages|groupby('number', default=0))[1].list|map(attribute='content')|list
(messages|groupby('number', default=0))[1].grouper
messages[:2]|map(attribute='content')|list
messages[1].tool_calls|map(attribute='function.name')|join
messages[1].tool_calls|map(attribute='id')|join(',')
(messages[1].tool_calls|last).function.arguments.zqlistarg[0]
messages
messages|string
messages|list
messages[1:]
tools
documents
opt
opts
opts.zqkeyo
opts.zqkeyo[0]
count
(opt ~ messages[0].content)|trim
'%s: %s' % (messages[0].content, messages[1].content)
'<%s>' % messages[0].content
'%s-%s'|format(messages[0].content, opt)
'{}: {}'.format(messages[0].content, messages[1].content)
'{a}{a}'.format(messages[0].content, a=opt)
messages[0].content.strip()
messages[0].content.lstrip()
messages[0].content.rstrip()
messages[0].content.strip(' ж')
messages[0].content.lower()
messages[0].content.upper()
messages[0].content.title()
messages[0].content.capitalize()
messages[0].content.swapcase()
messages[0].content.casefold()
messages[0].content.split()
messages[0].content.split(' ')[1]
messages[0].content.split(' ', 2)|last
messages[0].content.split('zqalpha')[0]
messages[0].content.split('zqalpha')[-1].strip()
messages[0].content.rsplit(none, 1)
messages[0].content.splitlines()
messages[0].content.partition('zq')
messages[0].content.rpartition('zq')[2]
messages[0].content.removeprefix(' ')
messages[0].content.removesuffix(' ')
messages[0].content.replace('zq', '*')
messages[0].content.replace(' ', messages[1].content, 1)
messages[0].content.center(40)
messages[0].content.ljust(40, '.')
messages[0].content.rjust(40, '.')
messages[0].content.join(messages[0].many)
', '.join(messages[0].many)
'-'.join(messages[0].object)
messages[0].content.strip().split()[-1].upper()
{'a': messages[0].content, 'b': [opt]}
{'a': messages[0].content}.a
{'a': messages[0].content}['a']
{'a': messages[0].content}.items()|list
{messages[0].content: messages[1].content}
[messages[0].content, [opt, (messages[1].content,)]]
[messages[0].content][0]
[messages[0].content]|first|upper
(messages[0].content, opt)
(1, messages[0].content)[1]
namespace(a=messages[0].content).a
dict(a=messages[0].content).a
dict(a=messages[0].content)
dict(a=messages[0])['a'].content
cycler(messages[0].content, opt).next()
joiner(messages[0].content).sep
messages[0].pairs|first|join
messages|sum(attribute='many', start=[]) if false else messages[0].many
messages|join('+', attribute='role') ~ opt
messages[:2]|join('+', 'content')
messages[0].nothing|default(messages[0].pairs)|first|first
(messages[0] if true else x).content
(messages|selectattr('tool_calls', 'defined')|first).content
(messages|sort(attribute='role')|first).content
"""

LOOSE = r"""
('<' ~ messages[0].content ~ '>')|upper|trim
(opt ~ messages[0].content)|lower
'{a}{0}{a}'.format(messages[0].content, a=opt)
messages[0].content|title
messages[0].content|wordwrap(5)
messages[0].content|truncate(9, true)
messages[0].content|striptags
messages[0].content|pprint
messages[0].content|escape
messages[0].content|e
messages[0].content|forceescape
messages[0].content|urlencode
messages[0].content|urlize
messages[0].content|e|upper
messages[0].content|safe + '<'
'<' + messages[0].content|safe
messages[0].content|safe|replace('ж', '<')
(messages[0].content|safe).replace('ж', '<')
('<%s>'|safe) % messages[0].content
('{}'|safe).format(messages[0].content)
('-'|safe).join(messages[0].many)
messages[0].many|map('escape')|join
messages[0].many|map('title')|join
messages[0].many|map('wordwrap', 4)|join
messages[0].many|map('truncate', 4, true)|join
messages[0].many|map('striptags')|join
messages[0].many|map('pprint')|join
messages[0].many|map('urlencode')|join
messages[0].content|map('title')|join
messages[0].content.zfill(40)
messages[0].content.expandtabs()
messages[0].content.replace('', '-')
messages[0].content.center(40, messages[0].content[1])
messages[0].content % ()
messages[0].content.format()
(messages[0].content ~ '%s') % opt
(messages[0].content ~ '{}').format(opt)
'%(content)s' % messages[0]
'%(a)s' % {'a': messages[0].content}
'%(content)s'|format(**messages[0])
'%s' % messages[0].object
'%s' % messages[0].many
'%r' % messages[0].content
'%20s|%-3.2s' % (messages[0].content, opt)
'%s %s' % (messages[0].object, 1)
'{!r}'.format(messages[0].object)
'{!r}'.format(messages[0].content)
'{:>40}'.format(messages[0].content)
'{content}'.format(**messages[0])
'{0}'.format(*messages[0].many)
'{}'.format(messages[0].object)
messages[0].object|pprint
messages[0].many|pprint
messages[0].object|urlencode
messages[0].object|xmlattr
messages[0].object|e
messages[0].object|string|title
messages[0].object|sort|join
messages[0].object|unique|join
messages[0].object|max
messages[0].object|min
messages[0].object|last
messages[0].object|reverse|list
messages[0].object|batch(1)|list
messages[0].object|slice(2)|list
messages[0].object|select|list
messages[0].object|groupby(0)|list
messages[0].object.copy()
messages[0].object.copy().zqkeya
messages[0].object.items()|sort
messages[0].object.keys()|sort
messages[0].copy().content
messages[0].many.copy()
messages[0].many.copy()[0]
messages[0].many.copy()|join
dict(messages[0]).content
dict(messages[0])
dict(messages[0].object, x=1)
dict(**messages[0].object)
dict(messages[0].object.items()).zqkeya
dict(messages[0].pairs)
dict.fromkeys(messages[0].many)
dict.fromkeys(messages[0].object)
dict.fromkeys(messages[0].content)
dict.fromkeys(['a'], messages[0].content)
namespace(messages[0]).content
namespace(**messages[0]).content
namespace(messages[0].object)
cycler(*messages[0].many).next()
cycler(*messages[0].many).items
cycler(*messages[0].many).current
joiner(*[opt]).sep
messages[0].pairs[0]|sum(start=0) if false else opt
(messages[0].content|attr('upper'))()
messages[0].content|attr('strip')
(messages[0]|attr('get'))('content')
messages[0].content.upper
messages[0].many|tojson|upper
messages[0].many|tojson|title
(messages[0].many|tojson)[3:9]
(messages[0].many|tojson).split(',')
messages[0].number|string|upper
messages[0].number ~ ''
messages[0].number|int
messages[0].number|float
messages[0].number|abs
messages[0].number|round
messages[0].number|filesizeformat
messages[0].number + 0
-messages[0].number
messages[0].number|string|int
messages[0].fraction|int
[messages[0].number]|sum
[messages[0].number]|max
'%d' % messages[0].number
'{:,}'.format(messages[0].number)|replace(',', '')
'{}'.format(messages[0].number)
messages[0].content|wordcount ~ opt
messages[0].content|length ~ opt
messages[0].content|count ~ opt
messages|random if false else opt
messages[0].content|items if false else opt
messages|groupby('content')|string if false else opt
"""

JSON = r"""
messages|tojson
messages[0]|tojson
messages[0].content|tojson
messages[0].number|tojson
messages[0].fraction|tojson
messages[0].flag|tojson ~ opt
messages[0].object|tojson
messages[0].object|tojson(indent=2)
messages[0].object|tojson(indent='\t')
messages[0].object|tojson(sort_keys=true)
messages[0].object|tojson(separators=(',', ':'))
messages[0].object|tojson(indent=1, sort_keys=true, separators=(' , ', ' : '))
messages|tojson(indent=4)
messages|tojson(false, none, [';', '='], true)
tools|tojson
tools[0]|tojson
tools[0]|tojson(indent=4)
tools[0].function.parameters|tojson
documents|tojson
opt|tojson
opts|tojson(sort_keys=true)
count|tojson
messages[1].tool_calls[0].function.arguments|tojson
{'a': messages[0].content, 'b': [messages[1], 'x', 5], 'c': opts}|tojson
{'a': messages[0].content, 'b': [messages[1], 'x', none], 'c': {}}|tojson(indent=2)
{'b': messages[0], 'a': {'z': opt, 'y': []}}|tojson(sort_keys=true)
{'b': messages[0], 'a': {'z': opt, 'y': []}}|tojson(sort_keys=true, indent=1, separators=(',', ':'))
{messages[0].content: messages[1].content}|tojson
{messages[0].content: opt}|tojson(indent=3)
[messages[0].content, messages[1].content|upper, opt ~ '!']|tojson
(messages[0].content, [messages[0].object])|tojson
messages[0].object.items()|list|tojson
(messages + [{'a': opt}])|tojson
(messages[0].many + ['x'])|tojson
(messages[0].many * 2)|tojson
messages[1:]|tojson
messages[:1]|tojson(indent=2)
messages|list|tojson
messages|map(attribute='content')|list|tojson
messages|selectattr('role', 'equalto', 'user')|list|tojson
messages|reverse|list|tojson
messages[0].many|list|tojson
messages[0].many|sort|tojson
messages[0].many|map('upper')|list|tojson
messages[0].object|list|tojson
messages[0].object|dictsort|tojson
messages[0].object.keys()|list|tojson
messages[0].object.values()|list|tojson
messages[0].content.split()|tojson
messages[0].content|list|tojson
messages[0].content.strip()|tojson
messages[0].content[1:4]|tojson
(messages[0].content|upper)|tojson
(messages[0].content ~ opt)|tojson
messages[0].content.partition('zq')|tojson
messages|groupby('role')|tojson
messages|batch(2)|list|tojson
tools|map(attribute='function')|list|tojson
dict(a=opt, b=messages[0])|tojson
dict(messages[0])|tojson
messages[0].copy()|tojson
namespace(a=[opt]).a|tojson
[opt]|tojson|tojson
messages[0].content|tojson|tojson
(messages[0].object|tojson)[1:-1]
messages[0].object|tojson|replace('"', "'")
messages[0].object|tojson|safe
messages[0].object|tojson ~ '!'
"""

STATEMENTS = r"""
# loop through a list
{% for x in messages[0].many %}{{ x }}|{{ x|upper }}{% endfor %}
# loop through an object
{% for x in messages[0].object %}{{ x }}:{{ messages[0].object[x] }}{% endfor %}
# loop through members
{% for k, v in messages[0].object.items() %}{{ k }}={{ v }}{{ v|tojson }}{% endfor %}
# loop through a text
{% for c in messages[0].content %}{{ c }}.{% endfor %}
# loop through pairs
{% for a, b in messages[0].pairs %}{{ a }}-{{ b }}{% endfor %}
# loop through a made list
{% for x in [messages[0].content, opt] + messages[0].many %}{{ x }}{% endfor %}
# loop with a test
{% for x in messages[0].many if 'zq' in x %}{{ x }}{{ loop.index }}{% endfor %}
# loop that looks around
{% for x in messages[0].many %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }}{% endfor %}
# loop in a hand
{% macro m(l) %}{{ l.nextitem }}{% endmacro %}{% for x in messages[0].many %}{{ m(loop) }}{% endfor %}
# loop that cycles
{% for x in [1, 2] %}{{ loop.cycle(opt, messages[0].content) }}{% endfor %}
# loop that cycles through data
{% for x in [1, 2] %}{{ loop.cycle(*messages[0].many) }}{% endfor %}
# recursive loop
{% for x in messages[0].pairs recursive %}{{ loop(x) if x is not string else x }}{% endfor %}
# loop by index
{% for i in range(messages[0].many|length) %}{{ messages[0].many[i] }}{% endfor %}
# unpacked
{% set a, b = messages[0].many %}{{ a }}{{ b }}
# unpacked deeper
{% set (a, b), c = messages[0].pairs[0], opt %}{{ a }}{{ b }}{{ c }}
# unpacked by with
{% with (a, b) = messages[0].many %}{{ a }}{{ b }}{% endwith %}
# unpacked text
{% set a, b = messages[0].many[1] %}{{ a }}{{ b }}
# unpacked object
{% set a, b = messages[0].object %}{{ a }} {{ b }}
# arguments by star
{% macro m(a, b) %}{{ a }}{{ b }}{{ varargs }}{% endmacro %}{{ m(*messages[0].many) }}{{ m(*messages[0].pairs[0]) }}
# arguments by names
{% macro m(content) %}{{ content }}{{ kwargs }}{% endmacro %}{{ m(**messages[0]) }}
# default of a parameter
{% macro m(a, b=opt, c=messages[0].content) %}{{ a }}{{ b }}{{ c }}{% endmacro %}{{ m(1) }}
# macro that returns
{% macro m(a) %}{{ a }}{% endmacro %}{% set x = m(messages[0].content) %}{{ x }}{{ x|trim }}{{ x[2:5] }}
# macro in a condition
{% macro m(a) %}{% if a %}{{ a }}{% else %}x{% endif %}{% endmacro %}{{ m(opt)|upper }}
# macro with a sum
{% macro m(a) %}{{ '<' + a + '>' }}{% endmacro %}{{ m(opt) }}{% set x = m(opt) + opt %}{{ x }}
# macro as a value
{% macro m(a) %}{{ a }}{% endmacro %}{% set f = m %}{{ f(opt) }}{{ [m][0](opt)|upper }}
# caller
{% macro m() %}[{{ caller(opt) }}]{% endmacro %}{% call(x) m() %}{{ x }}{{ messages[0].content }}{% endcall %}
# captured
{% set x %}{{ opt }}{{ messages[0].content }}{% endset %}{{ x }}{{ x|upper }}{{ x[3:9] }}{{ x.split() }}
{{ x|title }}
# captured and filtered
{% set x | trim | upper %} {{ opt }} {% endset %}{{ x }}{% filter title %}{{ opt }}{% endfilter %}
# captured in JSON
{% set x %}{{ opt }}!{% endset %}{{ x|tojson }}{{ [x]|tojson }}{{ {'a': x} }}{{ {x: 1} }}
# captured in captured
{% set x %}{% set y %}{{ opt }}{% endset %}{{ y }}{{ y|upper }}{% endset %}{{ x }}{{ x|replace('zq', '-') }}
# filter block
{% filter upper %}{{ opt }}{% for m in messages[0].many %}{{ m }}{% endfor %}{% endfilter %}
# namespace
{% set ns = namespace(t='') %}{% for x in messages[0].many %}{% set ns.t = ns.t + x %}{% endfor %}{{ ns.t }}
{{ ns.t|upper }}
# namespace with a list
{% set ns = namespace(l=[]) %}{% for x in messages[0].many %}{% set ns.l = ns.l + [x] %}{% endfor %}{{ ns.l }}
{{ ns.l|tojson }}{{ ns.l|join }}
# namespace printed
{% set ns = namespace(t=opt) %}{{ ns }}
# namespace with a captured text
{% set ns = namespace() %}{% set ns.t %}{{ opt }}{% endset %}{{ ns.t }}{{ ns['t'] }}
# with
{% with x = opt, y = messages[0] %}{{ x }}{{ y.content }}{% endwith %}
# generation
{% generation %}{{ opt }}{{ messages[0].content }}{% endgeneration %}
# inline if
{{ opt if messages[0].flag }}{{ 'x' if not messages[0].flag else messages[0].content }}
{{ (opt if 1 else 2)|upper }}
# method taken
{% set f = messages[0].content.upper %}{{ f() }}{% set g = messages[0].get %}{{ g('content') }}
# copied and changed
{% set d = dict(messages[0], content=opt) %}{{ d.content }}{{ d.object.zqkeya }}
# messages replaced
{% set messages = messages[1:] %}{% for m in messages %}{{ m.content }}{% endfor %}{{ messages|tojson }}
# number names
{% set d = {1: opt, 2.5: messages[0].content} %}{{ d[1] }}{{ d[2.5] }}{{ d }}{{ d|tojson }}
# members by a name
{% for k in ['content', 'role'] %}{{ messages[0][k] }}{% endfor %}{% set k = 'object' %}{{ messages[0][k] }}
# documents
{% for d in documents %}{{ d.title }}{{ d.text|upper }}{{ d|tojson }}{% endfor %}
# tools
{% for t in tools %}{% set f = t.function %}{{ f.name }}{{ f|tojson }}
{% for k, v in f.parameters.properties|items %}{{ k }}{{ v.description }}{% endfor %}{% endfor %}
# a tool put together
{% for t in tools %}{{ {'n': t.function.name, 'p': t.function.parameters}|tojson(indent=1) }}{% endfor %}
# calls
{% for m in messages[:2] %}{% for c in m.tool_calls %}{{ c.id }}{{ c.function.name }}
{{ c.function.arguments|tojson }}{% for k, v in c.function.arguments|items %}{{ k }}{{ v }}{% endfor %}
{% endfor %}{% endfor %}
# calls one by one
{% set c = messages[1].tool_calls[0] %}{% set f = c.function %}{% set a = f.arguments %}{{ f.name }}{{ a }}
{{ a.zqarg }}{{ a['zqnumber'] }}
# printed by print
{% print opt, messages[0].content %}
# of an option
{% for k, v in opts.items() %}{{ k }}{{ v }}{{ v[0] }}{% endfor %}{{ opts|tojson }}
# escaped
{{ opt|e }}{{ '<' + messages[0].content|e }}{% set x = opt|safe %}{{ x + '<' }}{{ x }}
"""

GENERATION = r"""
# if
{% if add_generation_prompt %}GEN{% endif %}
# if not else
{% if not add_generation_prompt %}no{% else %}GEN{% endif %}
# and
{% if add_generation_prompt and messages %}GEN{% endif %}
# and behind
{% if messages and messages[0].role and add_generation_prompt %}GEN{% endif %}
# not or
{% if not (not add_generation_prompt or not messages) %}GEN{% endif %}
# not not
{% if not not add_generation_prompt %}GEN{% endif %}
# is true
{% if add_generation_prompt is true %}GEN{% endif %}
# elif
{% if not messages %}no{% elif add_generation_prompt %}GEN{% endif %}
# inside
{% if add_generation_prompt %}{% if messages %}G{% else %}no{% endif %}{{ 'E' }}{% set x = 'N' %}{{ x }}
{% endif %}
# inline
{{ 'GEN' if add_generation_prompt }}
# inline else
{{ 'GEN' if add_generation_prompt else 'no' }}
# inline not
{{ 'no' if not add_generation_prompt else 'GEN' }}
# inline and
{{ 'GEN' if add_generation_prompt and messages else 'no' }}
# inline in a sum
{{ '' + ('GEN' if add_generation_prompt else 'no') }}
# inline joined
{{ '' ~ ('GEN' if add_generation_prompt else 'no') }}
# loop
{% if add_generation_prompt %}{% for c in 'GEN' %}{{ c }}{% endfor %}{% endif %}
# macro
{% macro m() %}G{{ caller() if caller }}EN{% endmacro %}{% if add_generation_prompt %}{{ m() }}{% endif %}
# in a macro
{% macro m() %}{% if add_generation_prompt %}GEN{% endif %}{% endmacro %}{{ m() }}
# in a macro that is filtered
{% macro m() %}{% if add_generation_prompt %}GEN{% endif %}{% endmacro %}{{ m()|trim }}
# captured
{% set t %}{% if add_generation_prompt %}GEN{% endif %}{% endset %}{{ t }}
# in the last pass
{% for m in messages %}{% if loop.last and add_generation_prompt %}GEN{% endif %}{% endfor %}
# behind and
{% if messages and (add_generation_prompt and messages) %}GEN{% endif %}
"""
"""Where the generation prompt is written in many ways: it is GEN."""


def lines(text: str) -> list[str]:
    """Return the expressions of a text."""
    return [line for line in text.splitlines() if line]


def cases(text: str) -> dict[str, str]:
    """Return the templates of a text, by their names."""
    found: dict[str, str] = {}
    name = ""
    for line in text.strip().splitlines():
        if line.startswith("# "):
            name = line[2:]
            found[name] = ""
        else:
            found[name] += line
    return found
