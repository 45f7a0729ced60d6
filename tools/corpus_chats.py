"""The chats that public templates are tried with: what people send, and what templates trip over.

Each has a name of its own and holds the arguments of one render. Rules: plain JSON data, made once and never changed;
every template gets the same ones, whatever it can do. Chats with tools are in `corpus_calls`.
"""

from __future__ import annotations

from typing import Any

from corpus_calls import CALL_CHATS, TOOLS
from corpus_words import EMPTY_TEXTS, ODD_TEXTS, THINKING_TEXTS, Chat, assistant, chat, message, system, user

_ASK = user("Which rivers flow through Vienna?")
_ANSWER = assistant("The Danube, and the little Wien.")
_THEN = user("Name one more.")
_BRIEF = system("You are brief.")

_SEVERAL_TURNS = [_BRIEF, _ASK, _ANSWER, _THEN]

PLAIN: dict[str, Chat] = {
    "user": chat(_ASK),
    "user, generation": chat(_ASK, generation=True),
    "system": chat(_BRIEF, _ASK),
    "system, generation": chat(_BRIEF, _ASK, generation=True),
    "answered": chat(_BRIEF, _ASK, _ANSWER),
    "answered, no system": chat(_ASK, _ANSWER),
    "answered, generation": chat(_ASK, _ANSWER, generation=True),
    "several turns": chat(*_SEVERAL_TURNS),
    "several turns, generation": chat(*_SEVERAL_TURNS, generation=True),
    "long": chat(
        _BRIEF,
        *[each for n in range(20) for each in (user(f"Question {n}, please?"), assistant(f"Answer {n}."))],
        user("Done."),
        generation=True,
    ),
    "no special tokens": chat(_BRIEF, _ASK, _ANSWER, bos_token=None, eos_token=None),
    "empty special tokens": chat(_BRIEF, _ASK, _ANSWER, bos_token="", eos_token=""),
}

ROLES: dict[str, Chat] = {
    "two systems": chat(_BRIEF, system("Answer in Greek."), _ASK, generation=True),
    "system in the middle": chat(_ASK, _ANSWER, system("From now on rhyme."), _THEN, generation=True),
    "system twice, apart": chat(_BRIEF, _ASK, _ANSWER, system("From now on rhyme."), _THEN),
    "system last": chat(_ASK, system("Answer now.")),
    "only system": chat(_BRIEF),
    "only system, generation": chat(_BRIEF, generation=True),
    "only assistant": chat(_ANSWER),
    "no user": chat(_BRIEF, _ANSWER, generation=True),
    "assistant first": chat(assistant("Good morning!"), _ASK, _ANSWER),
    "system, assistant first": chat(_BRIEF, assistant("Good morning!"), _ASK, generation=True),
    "two users": chat(_ASK, _THEN, generation=True),
    "two assistants": chat(_ASK, _ANSWER, assistant("And the Liesing.")),
    "developer": chat(message("developer", "Mind the style guide."), _ASK, generation=True),
    "developer, answered": chat(message("developer", "Mind the style guide."), _ASK, _ANSWER, _THEN),
    "system and developer": chat(_BRIEF, message("developer", "Mind the style guide."), _ASK, generation=True),
    "developer with tools": chat(message("developer", "Mind it."), _ASK, tools=TOOLS, generation=True),
    "unknown role": chat(_ASK, message("critic", "Too short."), generation=True),
    "unknown role first": chat(message("narrator", "It rains."), _ASK, _ANSWER),
    "unknown role last": chat(_ASK, _ANSWER, message("critic", "Too short.")),
    "other roles": chat(
        _BRIEF, _ASK, message("model", "Yes."), message("function", "12"), message("observation", "cold")
    ),
    "roles of others": chat(message("human", "Hello?"), message("gpt", "Hello!"), message("ipython", "4")),
    "roles of a studio": chat(
        message("context", "Notes."), _ASK, message("environment", "x=1"), message("chatbot", "Ok")
    ),
    "thought role": chat(_ASK, message("thought", "Hm, rivers."), _ANSWER, _THEN, generation=True),
    "role in capitals": chat(message("System", "Be brief."), message("User", "Hello?"), message("ASSISTANT", "Hello.")),
    "empty role": chat(message("", "Who speaks?"), _ASK),
    "no role": chat({"content": "Who speaks?"}, _ASK),
    "null role": chat({"role": None, "content": "Who speaks?"}),
    "role is a number": chat({"role": 7, "content": "Seven."}, _ASK),
    "names": chat(
        system("You are brief.", name="rules"),
        user("Hello?", name="Ingrid"),
        assistant("Hello.", name="Bot"),
        user("Bye.", name="Ole"),
        generation=True,
    ),
}

_IMAGE = {"type": "image", "image": "harbour.png"}
_MEDIA: dict[str, Any] = {
    "image": {"type": "image"},
    "image with a path": _IMAGE,
    "image by url": {"type": "image_url", "image_url": {"url": "https://example.org/harbour.png", "detail": "low"}},
    "image of Responses": {"type": "input_image", "image_url": "https://example.org/harbour.png"},
    "image without type": {"image": "harbour.png"},
    "image_url without type": {"image_url": {"url": "https://example.org/harbour.png"}},
    "audio": {"type": "audio", "audio": "waves.wav"},
    "audio by url": {"type": "audio_url", "audio_url": {"url": "https://example.org/waves.wav"}},
    "audio of OpenAI": {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    "video": {"type": "video", "video": "tide.mp4"},
    "video of frames": {"type": "video", "video": ["1.png", "2.png"], "fps": 2},
    "video by url": {"type": "video_url", "video_url": {"url": "https://example.org/tide.mp4"}},
    "file": {"type": "file", "file": {"filename": "notes.pdf", "file_id": "file-7"}},
    "unknown part": {"type": "hologram", "hologram": "deck", "text": "A deck."},
    "part without type": {"text": "No type here."},
    "part of a thought": {"type": "thinking", "thinking": "Let me look."},
    "refusal": {"type": "refusal", "refusal": "I would rather not."},
}


def text(words: str) -> dict[str, Any]:
    """Return a part of text."""
    return {"type": "text", "text": words}


PARTS: dict[str, Chat] = {
    "a part of text": chat(user([text("Which rivers?")]), generation=True),
    "parts of text": chat(user([text("Which rivers"), text(" flow through"), text(" Vienna?")]), assistant("Two.")),
    "parts everywhere": chat(
        system([text("You are"), text("brief.")]),
        user([text("Which rivers?")]),
        assistant([text("The Danube,"), text("the Wien.")]),
        user([text("Thanks.")]),
        generation=True,
    ),
    "assistant of parts": chat(_ASK, assistant([text("The Danube.")])),
    "parts with thoughts": chat(_ASK, assistant([_MEDIA["part of a thought"], text("The Danube.")]), _THEN),
    "media of each kind": chat(
        user([_IMAGE, text("and"), _MEDIA["audio"], text("and"), _MEDIA["video"], text("?")]),
        generation=True,
        add_vision_id=True,
        add_audio_id=True,
    ),
    "two images": chat(
        user([_IMAGE, _IMAGE, text("Compare.")]),
        _ANSWER,
        user([text("And"), _IMAGE]),
        add_vision_id=True,
        generation=True,
    ),
    "image in a system text": chat(system([text("Look at"), _IMAGE]), _ASK),
    "image in an answer": chat(_ASK, assistant([text("Here:"), _IMAGE])),
    "only an image": chat(user([_IMAGE]), generation=True),
    "audio and text": chat(_BRIEF, user([_MEDIA["audio"], text("What is said?")]), generation=True),
    "list of strings": chat(user(["Which rivers", "flow through Vienna?"]), generation=True),
    "list of lists": chat(user([["text", "Which rivers?"]])),
    "list with a null": chat(user([None, text("Which rivers?")])),
    "empty list": chat(user([]), assistant([])),
    "part without text": chat(user([{"type": "text"}, text("Hello?")])),
    "part with null text": chat(user([{"type": "text", "text": None}, text("Hello?")])),
    "part with a number": chat(user([{"type": "text", "text": 12}])),
    "parts of other shapes": chat(
        user({"parts": [text("Which rivers?")]}),
        assistant({"blocks": [{"type": "thoughts", "text": "Hm."}, {"type": "response", "text": "The Danube."}]}),
        user({"parts": [text("Thanks.")]}),
    ),
    "calls among the parts": chat(
        user("Add."),
        assistant(
            [text("I add."), {"type": "tool_use", "id": "toolu0001", "name": "add", "input": {"numbers": [1, 2]}}]
        ),
        user([{"type": "tool_result", "tool_use_id": "toolu0001", "content": "3"}]),
        message("tool", [{"type": "tool-result", "output": {"type": "text", "value": "3"}}]),
    ),
    **{f"media: {name}": chat(user([text("Look:"), part]), generation=True) for name, part in _MEDIA.items()},
}

ODD_CONTENT: dict[str, Chat] = {
    "null content": chat(_ASK, assistant(None), _THEN, generation=True),
    "no content": chat(_ASK, {"role": "assistant"}, _THEN, generation=True),
    "user without content": chat({"role": "user"}, generation=True),
    "user with null": chat(user(None)),
    "system without content": chat({"role": "system"}, _ASK),
    "system with null": chat(system(None), _ASK),
    "a number": chat(user(1812), assistant(3.5), _THEN),
    "a big number": chat(user(2**80), assistant(-0.0)),
    "yes and no": chat(user(True), assistant(False)),
    "an object": chat(user({"question": "Which rivers?", "count": 2}), generation=True),
    "an object with text": chat(
        user({"text": "Which rivers?", "type": "text"}), assistant({"answer": ["Danube", None]})
    ),
    "system of an object": chat(system({"style": "brief"}), _ASK),
    **{
        f"empty: {name}": chat(system(words), user(words), assistant(words), _THEN)
        for name, words in EMPTY_TEXTS.items()
    },
}

TEXTS: dict[str, Chat] = {
    **{f"text: {name}": chat(system(words), user(words), assistant(words), _THEN) for name, words in ODD_TEXTS.items()},
    **{
        f"thinking: {name}": chat(_ASK, assistant(words), _THEN, assistant(words), generation=False)
        for name, words in THINKING_TEXTS.items()
    },
    "thinking in history": chat(_ASK, assistant(THINKING_TEXTS["closed"]), _THEN, generation=True),
    "thinking, kept": chat(
        _ASK, assistant(THINKING_TEXTS["closed"]), _THEN, preserve_thinking=True, clear_thinking=False
    ),
    "a switch in the text": chat(system("detailed thinking on"), user("Hello? /no_think"), generation=True),
    "a switch off": chat(
        system("detailed thinking off /no_think"), user("Hello? /think"), _ANSWER, _THEN, generation=True
    ),
}


def _reasoned(name: str, thoughts: Any = "Two come to mind.", **options: Any) -> Chat:
    return chat(_BRIEF, _ASK, assistant("The Danube.", **{name: thoughts}), _THEN, generation=True, **options)


REASONING: dict[str, Chat] = {
    **{name: _reasoned(name) for name in ("reasoning_content", "reasoning", "thinking")},
    **{
        f"{name}, last": chat(_ASK, assistant("The Danube.", **{name: "Two come\nto mind.\n"}))
        for name in ("reasoning_content", "reasoning", "thinking")
    },
    "reasoning, kept": _reasoned("reasoning", preserve_thinking=True, clear_thinking=False, keep_past_thinking=True),
    "reasoning, not kept": _reasoned("reasoning", preserve_thinking=False, truncate_history_thinking=True),
    "reasoning, off": _reasoned("reasoning_content", enable_thinking=False),
    "reasoning under all names": chat(
        _ASK,
        assistant("The Danube.", reasoning_content="First.", thinking="Second.", reasoning="Third."),
        _THEN,
        assistant("The Wien.", thinking="Fourth.", reasoning="Fifth."),
    ),
    "reasoning and a null": chat(_ASK, assistant("The Danube.", reasoning_content=None, reasoning="Third.")),
    "reasoning, empty": _reasoned("reasoning_content", ""),
    "reasoning, white space": _reasoned("reasoning_content", "\n \n"),
    "reasoning, no content": chat(_ASK, {"role": "assistant", "reasoning": "Hm."}),
    "reasoning, a list": _reasoned("reasoning_content", ["One.", "Two."]),
    "reasoning, a number": _reasoned("thinking", 42),
    "reasoning and markers": chat(_ASK, assistant(THINKING_TEXTS["closed"], reasoning="Hm.")),
    "reasoning of a user": chat(user("Hello?", reasoning_content="I wonder."), _ANSWER),
}

_SWITCHES = (
    "enable_thinking thinking preserve_thinking keep_past_thinking add_vision_id tools_in_user_message "
    "enable_citations interleaved_thinking keep_all_reasoning forced_thinking include_thinking use_json_tooldef "
    "citations render_assistant_messages_raw is_training keep_cots skip_reasoning convert_first_system_msg "
    "continue_assistant_message regen_tool_call_ids has_reasoning truncate_history_thinking add_audio_id reasoning "
    "render_grounding return_params add_thoughts"
)
_ON: dict[str, Any] = dict.fromkeys(_SWITCHES.split(), True)
_OFF: dict[str, Any] = dict.fromkeys(_ON, False)
_NULL: dict[str, Any] = dict.fromkeys(_ON)
_WORDED: dict[str, Any] = {
    "reasoning_effort": "high",
    "thinking_mode": "on",
    "reasoning_mode": "full",
    "thinking_type": "enabled",
    "date_string": "1 May 2031",
    "model_identity": "You are Lotse.",
    "system_message": "Steer well.",
    "system_prompt": "Steer calmly.",
    "custom_instructions": "Speak of boats.",
    "developer_instruction": "Log it all.",
    "knowledge_cutoff": "2029-06",
    "conversation_start_date": "2031-05-01",
    "platform_instruction_override": "Harbour rules.",
    "audio_token": "<|sound|>",
    "policy": "No pirates.",
    "tool_choice": "auto",
    "think_end_token": "</think>",
    "num_img_tokens": 3,
    "language": "en",
    "source": "en",
    "target": "de",
    "source_lang_code": "en",
    "target_lang_code": "de",
}
_GUARD: dict[str, Any] = {"risk_name": "harm", "risk_definition": "What hurts.", "criteria_id": "harm"}

_DOCUMENTS = [
    {"title": "Rivers", "text": "The Danube is long.", "doc_id": 1},
    {"title": "Towns", "text": "Vienna is old.\nVery old.", "source": {"page": 12}},
]

KNOBS: dict[str, Chat] = {
    "knobs on": chat(*_SEVERAL_TURNS, generation=True, **_ON),
    "knobs off": chat(*_SEVERAL_TURNS, generation=True, **_OFF),
    "knobs null": chat(*_SEVERAL_TURNS, generation=True, **_NULL),
    "knobs in words": chat(*_SEVERAL_TURNS, generation=True, **_WORDED),
    "knobs in words, no system": chat(_ASK, generation=True, tools=TOOLS, **_WORDED),
    "knobs on, reasoned": _reasoned("reasoning_content", **_ON, reasoning_effort="low"),
    **{f"enable_thinking={on}": chat(_BRIEF, _ASK, generation=True, enable_thinking=on) for on in (True, False)},
    **{f"thinking={on!r}": chat(_ASK, generation=True, thinking=on) for on in (True, False)},
    **{
        f"effort {effort}": chat(_ASK, generation=True, reasoning_effort=effort, thinking_mode=mode)
        for effort, mode in (("none", "off"), ("low", "disabled"), ("medium", "chat"), ("max", "auto"))
    },
    **{f"budget {tokens}": chat(_ASK, generation=True, thinking_budget=tokens) for tokens in (0, 512, 16384, -1)},
    "skip": chat(_ASK, _ANSWER, _THEN, generation=True, skip_thinking=True, skip_think=True, drop_thinking=True),
    "thinking as an object": chat(_ASK, generation=True, thinking={"type": "enabled", "budget_tokens": 9}),
    "keyword arguments in one": chat(_ASK, generation=True, chat_template_kwargs={"enable_thinking": False}),
    "json asked for": chat(
        _ASK,
        generation=True,
        response_format={
            "type": "json_schema",
            "json_schema": {"name": "rivers", "schema": TOOLS[0]["function"]["parameters"]},
        },
    ),
    "json object asked for": chat(_BRIEF, _ASK, generation=True, response_format={"type": "json_object"}, schema="{}"),
    "guard": chat(_ASK, _ANSWER, guardian_config=_GUARD, generation=True),
    "guard, think": chat(
        _ASK, _ANSWER, guardian_config={"criteria_id": "jailbreak"}, think=True, request_categories=["a"]
    ),
    "controls": chat(_ASK, controls={"length": "short", "originality": "high"}, generation=True),
    "controls and documents": chat(
        _ASK, controls=["citations", "hallucinations"], documents=_DOCUMENTS, generation=True
    ),
    "system as an option": chat(_ASK, system_message={"current_date": "1 May 2031", "current_location": "Oslo"}),
    "most effort": chat(_BRIEF, _ASK, thinking_mode="thinking", reasoning_effort="max", generation=True),
}

DOCUMENTS: dict[str, Chat] = {
    "documents": chat(_BRIEF, _ASK, documents=_DOCUMENTS, generation=True),
    "documents, cited": chat(
        _ASK, _ANSWER, _THEN, documents=_DOCUMENTS, enable_citations=True, citation_mode="accurate"
    ),
    "documents with tools": chat(_ASK, documents=_DOCUMENTS, tools=TOOLS, generation=True),
    "no documents": chat(_ASK, documents=[], generation=True),
    "documents of parts": chat(_ASK, documents=[{"doc_id": "7", "contents": ["a", "b"], "data": {"k": "v"}}]),
    "documents as an option of a role": chat(_ASK, message("document", "Found it."), available_tools=TOOLS),
}

FIELDS: dict[str, Chat] = {
    "unknown fields": chat(
        user("Hello?", id="m1", created=1812.5, metadata={"lang": "de", "tags": ["x"]}),
        assistant("Hello.", weight=0, logprobs=None, citations=[], audio_tokens=4, annotations=[{"url": "u"}]),
        _THEN,
    ),
    "null fields": chat(
        system("You are brief.", name=None),
        user("Hello?", name=None, tool_calls=None),
        assistant("Hello.", tool_calls=None, refusal=None, reasoning_content=None, function_call=None),
        user("Bye."),
        generation=True,
    ),
    "prefix": chat(_ASK, assistant("The Dan", prefix=True)),
    "thoughts beside": chat(_ASK, assistant("Two.", thought="Hm.", tool_plan="I will look.", thoughts=["a"]), _THEN),
    "fields of a system": chat(
        system("You are brief.", tools=TOOLS, functions='[{"name": "f"}]', response_format={"type": "object"}), _ASK
    ),
    "style and prompt": chat(
        user("Hello?", style="demo", prompt="short_caption", files=["a.txt"], images=["b.png"]), _ANSWER
    ),
    "language codes": chat(
        user([{**text("Guten Morgen."), "source_lang_code": "de", "target_lang_code": "en"}]),
        _ANSWER,
        user([{**text("Gute Nacht."), "source_lang_code": "de-DE", "target_lang_code": "fr"}]),
        generation=True,
    ),
    "functions of old": chat(
        system("You are brief.", functions="f(x)"),
        user("Add.", functions='[{"name": "add"}]'),
        assistant(None, function_calls="add(numbers=[1])"),
        message("environment", "1"),
        assistant("One.", function_calls=None, meta="told", task="add", wo_eos=True),
        message("latest_reminder", "Be kind."),
    ),
    "compared": chat(
        _ASK, message("response_1", "Danube."), message("response_2", "Rhine."), message("principle", "True.")
    ),
}

CONTINUED: dict[str, Chat] = {
    "continued": chat(_ASK, assistant("The Danube, and the"), continued=True),
    "continued, space": chat(_ASK, assistant("The Danube, and "), continued=True),
    "continued, parts": chat(_ASK, assistant([text("The Danube, and")]), continued=True),
    "continued in reasoning": chat(_ASK, assistant("", reasoning_content="Two come to"), continued="reasoning_content"),
    "continued user": chat(user("Which riv"), continued=True),
    "continued nothing": chat(_ASK, {"role": "assistant"}, continued=True),
}

CHATS: dict[str, Chat] = {
    **PLAIN,
    **ROLES,
    **PARTS,
    **ODD_CONTENT,
    **TEXTS,
    **REASONING,
    **KNOBS,
    **DOCUMENTS,
    **FIELDS,
    **CONTINUED,
    **CALL_CHATS,
}
"""Every chat, by its name."""
