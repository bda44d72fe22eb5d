// Judges what a student types into a field of a drill. The twin of notes_lib/drills/spelling.py, expressions.py,
// follow.py, entries.py and judge.py, function by function and in their order: tests/drills/test_twin.py compares both.
// drillJudge.judge(field, typed, earlier) takes a field as Drill.as_json() holds it, and the pairs [field, verdict] of
// those before it; it gives {right, entries, message, understood, read, slip, carried, follows};
// drillJudge.earned(field, verdict) gives the marks for it.
var drillJudge = (function () {
  "use strict";

  // --- spelling.py: one spelling for what is typed ---------------------------------------------------------------------

  var LONGEST = 400;
  var FOLDED = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "﹣": "-",
    "·": "*", "⋅": "*", "∙": "*", "×": "*", "•": "*", "÷": "/", "∕": "/", "⁄": "/",
    "\t": " ", "\u00a0": " ", "\u2002": " ", "\u2003": " ", "\u2005": " ", "\u2006": " ", "\u2007": " ",
    "\u2008": " ", "\u2009": " ", "\u200a": " ", "\u202f": " ", "\u3000": " ", "\u200b": "", "\r": "",
    "[": "(", "{": "(", "]": ")", "}": ")", "⟨": "(", "⟩": ")", "〈": "(", "〉": ")",
    "、": ", ", "。": ".", "&": ", ", "$": "",
    "√": "sqrt", "π": "pi", "₂": "_2 ",
    "≈": "=", "⊤": "T", "ᵀ": "^T", "∞": "infinity", "∅": "none",
    "→": ">", "⟶": ">", "⇒": ">", "➔": ">", "➝": ">"
  };
  var FRACTIONS = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10"
  };
  var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
  var TEX = {
    cdot: "*", times: "*", div: "/", pi: "pi", ln: "ln", log: "log", exp: "exp", sqrt: "sqrt",
    left: "", right: "", top: "T", to: ">", rightarrow: ">", infty: "infinity", emptyset: "none",
    varnothing: "none", approx: "=", quad: " ", qquad: " "
  };

  function Unreadable(message) {
    this.message = message;
  }

  function refuse(message) {
    throw new Unreadable(message);
  }

  function replaced(text, old, put) {
    return text.split(old).join(put);
  }

  function trimmedLeft(text, characters) {
    var start = 0;
    while (start < text.length && characters.indexOf(text[start]) >= 0) start += 1;
    return text.slice(start);
  }

  function trimmedRight(text, characters) {
    var end = text.length;
    while (end > 0 && characters.indexOf(text[end - 1]) >= 0) end -= 1;
    return text.slice(0, end);
  }

  function trimmed(text) {
    return trimmedLeft(trimmedRight(text, " \n"), " \n");
  }

  function has(table, key) {
    return Object.prototype.hasOwnProperty.call(table, key);
  }

  function fold(text) {
    if (Array.from(text).length > LONGEST) refuse("This is longer than " + LONGEST + " characters.");
    text = withoutPython(fromTex(raised(narrow(replaced(text, "₁₀", "_10 ")))));
    var folded = Array.from(fractions(text)).map(function (character) {
      return has(FOLDED, character) ? FOLDED[character] : character;
    }).join("");
    while (folded.indexOf("  ") >= 0) folded = replaced(folded, "  ", " ");
    return closed(trimmed(folded));
  }

  function narrow(text) {
    return text.replace(/[\uff01-\uff5e]/g, function (sign) { return String.fromCharCode(sign.charCodeAt(0) - 0xfee0); });
  }

  function raised(text) {
    var power = false;
    return Array.from(text).map(function (sign) {
      var place = RAISED.indexOf(sign), first = place >= 0 && !power;
      power = place >= 0;
      return (first ? "^" : "") + (place >= 0 ? "0123456789-+"[place] : sign);
    }).join("");
  }

  function fromTex(text) {
    if (text.indexOf("\\") < 0) return text;
    text = text.replace(/\\(?:begin|end) ?\{[a-zA-Z]*matrix\*?\}/g, "");
    text = replaced(text.replace(/ *\\\\ *\n?/g, "\n"), "&", ";");
    text = text.replace(/\\[,;:! ]/g, " ");
    text = replaced(text.replace(/\\[()\[\]]/g, ""), "{,}", ",");
    text = text.replace(/\\([%{}$])/g, "$1");
    text = text.replace(/\\(?:text|mathrm|mathbf|boldsymbol|operatorname) ?\{([^{}]*)\}/g, "$1");
    text = divided(text.replace(/\\[dtc]frac/g, "\\frac"));
    if (/\\sqrt ?\[/.test(text)) refuse("Write a root that is not the square root as a power, such as 8^(1/3).");
    text = text.replace(/_ ?\{([0-9]+)\}/g, "_$1 ");
    return replaced(text.replace(/\\([a-zA-Z]+)/g, named), "^{T}", "^T");
  }

  function named(command, name) {
    if (!has(TEX, name)) refuse("“" + command + "” is not known here: write such as 1/2, sqrt(2), 3*10^-2 or (1, 2).");
    return TEX[name];
  }

  function divided(text) {
    for (var at = text.lastIndexOf("\\frac"); at >= 0; at = text.lastIndexOf("\\frac")) {
      var above = group(text.slice(at + 5)), below = group(above[1]);
      var before = text.slice(0, at), apart = /[0-9.] +$/.test(before) && /^[0-9.]+$/.test(above[0]);
      if (/[0-9.] *$/.test(before) && !apart) {
        refuse("Between a number and a fraction write + or *, so that it is clear what is meant.");
      }
      text = before + (apart ? above[0] + "/(" + below[0] + ")" : "((" + above[0] + ")/(" + below[0] + "))") + below[1];
    }
    return text;
  }

  function group(text) {
    text = trimmedLeft(text, " ");
    if (/^[0-9]/.test(text)) return [text[0], text.slice(1)];
    for (var at = 0, depth = 0; text[0] === "{" && at < text.length; at += 1) {
      depth += (text[at] === "{" ? 1 : 0) - (text[at] === "}" ? 1 : 0);
      if (depth === 0) return [text.slice(1, at), text.slice(at + 1)];
    }
    return refuse("A fraction is written \\frac{1}{2}, or 1/2.");
  }

  function withoutPython(text) {
    text = text.replace(/(^|[^a-zA-Z0-9_.])(?:np|numpy|math)\.([a-zA-Z])/g, "$1$2");
    text = text.replace(/(^|[^a-zA-Z0-9_.])(?:array|float64) ?\(/g, "$1(");
    return text.replace(/([0-9)\]] ?)\*\*( ?[-+0-9(])/g, "$1^$2");
  }

  function fractions(text) {
    return Array.from(text).reduce(function (found, sign) {
      var whole = /[0-9]+$/.exec(found);
      if (!has(FRACTIONS, sign)) return found + sign;
      if (!whole) return found + (/[0-9] +$/.test(found) ? FRACTIONS[sign] : "(" + FRACTIONS[sign] + ")");
      if (/[.,][0-9]+$/.test(found)) refuse("Write “" + whole[0] + sign + "” as one fraction, such as 5/2.");
      return found.slice(0, whole.index) + "(" + whole[0] + "+" + FRACTIONS[sign] + ")";
    }, "");
  }

  function closed(text) {
    if (/[0-9%)]\.$/.test(text)) text = text.slice(0, -1);
    var pointed = text[0] === "<" && endsWith(text, ">") && text.split(/[<>]/).length === 3;
    return pointed ? "(" + text.slice(1, -1) + ")" : text;
  }

  // --- expressions.py: one number ------------------------------------------------------------------------------------

  var DEEPEST = 30, LARGEST = 700.0;
  var DIGITS = "0123456789", LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  var FUNCTIONS = ["sqrt", "ln", "exp", "log"];

  function readNumber(text, percent) {
    var folded = fold(text);
    return new Reader(folded.slice(folded.lastIndexOf("=") + 1), percent).whole();
  }

  function finite(value) {
    if (!isFinite(value)) refuse("This number is too large.");
    return value;
  }

  function power(base, exponent) {
    if (base === 0 && exponent < 0) refuse("This divides by zero.");
    if (base < 0 && exponent !== Math.floor(exponent)) refuse("A negative number has no such power.");
    var size = base !== 0 ? exponent * Math.log(Math.abs(base)) : 0.0;
    if (size > LARGEST) refuse("This number is too large.");
    return size < -LARGEST ? 0.0 : Math.pow(base, exponent);
  }

  function apply(name, value) {
    if (name === "exp") return power(Math.E, value);
    if (value < 0 || (value === 0 && name !== "sqrt")) refuse(name + " has no value there.");
    if (name === "sqrt") return Math.sqrt(value);
    return Math.log(value) / {ln: 1.0, log2: Math.log(2.0), log10: Math.log(10.0)}[name];
  }

  function Reader(text, percent) {
    this.text = Array.from(text);
    this.percent = percent;
    this.at = 0;
    this.depth = 0;
  }

  Reader.prototype = {
    here: function () {
      return this.at < this.text.length ? this.text[this.at] : "";
    },

    next: function () {
      while (this.here() === " " || this.here() === "\n") this.at += 1;
      return this.here();
    },

    among: function (characters) {
      return this.here() !== "" && characters.indexOf(this.here()) >= 0;
    },

    taken: function (characters) {
      this.next();
      var found = this.among(characters);
      this.at += found ? 1 : 0;
      return found;
    },

    run: function (characters) {
      var start = this.at;
      while (this.among(characters)) this.at += 1;
      return this.text.slice(start, this.at).join("");
    },

    whole: function () {
      if (this.next() === "") refuse("Nothing was typed.");
      var value = this.sum();
      if (this.taken("%")) {
        if (!this.percent) refuse("A percentage is not asked for here: write 0.12 instead of 12 %.");
        value = value / 100;
      }
      if (this.next() !== "") refuse(this.surprise());
      return value;
    },

    surprise: function () {
      if (this.among(DIGITS + ".,;")) return "Two numbers stand side by side where one is asked for.";
      return "“" + this.here() + "” is not expected here.";
    },

    sum: function () {
      var value = this.product();
      while (this.next() === "+" || this.here() === "-") {
        if (this.taken("+")) {
          value = finite(value + this.product());
        } else {
          this.taken("-");
          value = finite(value - this.product());
        }
      }
      return value;
    },

    product: function () {
      var value = this.signed(), divided = false;
      for (;;) {
        if (this.taken("*xX")) {
          value = finite(value * this.signed());
        } else if (this.taken("/")) {
          var below = this.signed();
          divided = true;
          if (below === 0) refuse("This divides by zero.");
          value = finite(value / below);
        } else if (this.next() !== "" && this.among("(" + LETTERS)) {
          if (divided) refuse("After a division write * or brackets, so that it is clear what it divides by.");
          value = finite(value * this.power());
        } else {
          return value;
        }
      }
    },

    deeper: function () {
      this.depth += 1;
      if (this.depth > DEEPEST) refuse("There are too many brackets or signs.");
    },

    signed: function () {
      this.deeper();
      var minus = this.taken("-");
      var value = minus || this.taken("+") ? this.signed() : this.power();
      this.depth -= 1;
      return minus ? -value : value;
    },

    power: function () {
      var base = this.atom();
      return this.taken("^") ? power(base, this.signed()) : base;
    },

    atom: function () {
      var first = this.next();
      if (this.taken("(")) {
        var value = this.sum();
        if (!this.taken(")")) refuse(this.next() === "" ? "A bracket is not closed." : this.surprise());
        return value;
      }
      if (this.among(LETTERS)) return this.named();
      if (this.among(DIGITS + ".,")) return this.number();
      return refuse(first ? "A number is missing before “" + first + "”." : "A number is missing at the end.");
    },

    number: function () {
      var before = this.run(DIGITS), after = "";
      if (this.among(".,")) {
        this.at += 1;
        after = this.run(DIGITS);
        if (this.among(".,")) refuse("One number has two decimal points; thousands are written without.");
      }
      if (before + after === "") refuse("A point without digits is no number.");
      return finite(Number(before + "." + after + "0" + this.exponent()));
    },

    exponent: function () {
      var start = this.at, letter = this.run("eE");
      if (letter === "e" || letter === "E") {
        var sign = this.run("+-"), digits = this.run(DIGITS);
        if (sign.length < 2 && digits !== "") return "e" + sign + digits;
      }
      this.at = start;
      return "";
    },

    named: function () {
      var name = this.run(LETTERS);
      if (["e", "pi", "Pi", "PI"].indexOf(name) >= 0) return name === "e" ? Math.E : Math.PI;
      var called = name.toLowerCase();
      if (FUNCTIONS.indexOf(called) < 0) {
        refuse("“" + name + "” is no number: leave units out; known are pi, e, sqrt, ln, exp, log2 and log10.");
      }
      if (called === "log") {
        this.run("_");
        called += this.run(DIGITS);
      }
      if (["sqrt", "ln", "exp", "log2", "log10"].indexOf(called) < 0) {
        refuse("A logarithm needs its base: ln, log2 or log10.");
      }
      var bare = this.next() !== "(";
      this.deeper();
      var value = apply(called, this.atom());
      this.depth -= 1;
      if (bare && this.next() === "^") refuse("Write brackets around what " + called + " is taken of.");
      return value;
    }
  };

  // --- follow.py: what a later answer would be, given earlier ones ---------------------------------------------------

  var TOKEN = / *([0-9]+(?:\.[0-9]*)?(?:e[+-]?[0-9]+)?|[A-Za-z_]\w*(?:\.\w+)*|\*\*|[<>=!]=|.)/g;
  var COMPARED = {
    "<": function (a, b) { return a < b; }, "<=": function (a, b) { return a <= b; },
    ">": function (a, b) { return a > b; }, ">=": function (a, b) { return a >= b; },
    "==": function (a, b) { return a === b; }, "!=": function (a, b) { return a !== b; }
  };
  var OF_ONE = ["sqrt", "ln", "log", "log2", "exp", "abs"];
  var OF_SEVERAL = {
    min: function (values) { return Math.min.apply(null, values); },
    max: function (values) { return Math.max.apply(null, values); },
    sum: function (values) { return finite(values.reduce(function (a, b) { return a + b; }, 0)); },
    argmin: function (values) { return values.indexOf(OF_SEVERAL.min(values)); },
    argmax: function (values) { return values.indexOf(OF_SEVERAL.max(values)); }
  };

  function compute(expression, lookup) {
    return new Computer(expression, lookup).whole();
  }

  function Computer(expression, lookup) {
    var tokens = trimmedRight(expression, " ").match(TOKEN) || [];
    this.tokens = tokens.map(function (token) { return trimmedLeft(token, " "); }).concat("");
    this.lookup = lookup;
    this.at = 0;
  }

  Computer.prototype = {
    here: function () {
      return this.tokens[this.at];
    },

    taken: function (tokens) {
      var token = this.here();
      if (token === "" || tokens.indexOf(token) < 0) return "";
      this.at += 1;
      return token;
    },

    needed: function (token) {
      if (!this.taken([token])) refuse("“" + token + "” is missing before “" + this.here() + "”.");
    },

    whole: function () {
      var value = this.comparison();
      if (this.here() !== "") refuse("“" + this.here() + "” is not expected here.");
      return value;
    },

    comparison: function () {
      var value = this.sum(), sign = this.taken(Object.keys(COMPARED));
      return sign ? Number(COMPARED[sign](value, this.sum())) : value;
    },

    sum: function () {
      var value = this.product(), sign;
      while ((sign = this.taken(["+", "-"]))) {
        var other = this.product();
        value = finite(sign === "+" ? value + other : value - other);
      }
      return value;
    },

    product: function () {
      var value = this.signed(), sign;
      while ((sign = this.taken(["*", "/"]))) {
        var other = this.signed();
        if (sign === "/" && other === 0) refuse("This divides by zero.");
        value = finite(sign === "*" ? value * other : value / other);
      }
      return value;
    },

    signed: function () {
      var sign = this.taken(["-", "+"]);
      if (sign) return sign === "-" ? -this.signed() : this.signed();
      var base = this.atom();
      return this.taken(["^", "**"]) ? power(base, this.signed()) : base;
    },

    atom: function () {
      if (this.taken(["("])) {
        var value = this.comparison();
        this.needed(")");
        return value;
      }
      var values = this.listed();
      if (values.length !== 1) refuse("One number is needed where several stand.");
      return values[0];
    },

    listed: function () {
      var token = this.here();
      this.at += token !== "" ? 1 : 0;
      if (/^[0-9]/.test(token)) return [finite(Number(token))];
      if (!/^[A-Za-z_]/.test(token)) refuse("A number is missing before “" + token + "”.");
      return this.taken(["("]) ? [this.called(token)] : this.lookup(token, this.indices());
    },

    called: function (name) {
      var values = this.argument();
      while (this.taken([","])) values = values.concat(this.argument());
      this.needed(")");
      if (Object.keys(OF_SEVERAL).indexOf(name) >= 0) return OF_SEVERAL[name](values);
      if (OF_ONE.indexOf(name) < 0 || values.length !== 1) {
        refuse("“" + name + "” is no function of " + values.length + " numbers.");
      }
      return name === "abs" ? Math.abs(values[0]) : apply(name === "log" ? "ln" : name, values[0]);
    },

    argument: function () {
      var start = this.at;
      if (/^[A-Za-z_]/.test(this.here())) {
        var values = this.listed();
        if (this.here() === "," || this.here() === ")") return values;
        this.at = start;
      }
      return [this.comparison()];
    },

    indices: function () {
      if (!this.taken(["["])) return [];
      var found = [this.index()];
      while (this.taken([","])) found.push(this.index());
      this.needed("]");
      return found;
    },

    index: function () {
      var token = this.here();
      if (this.taken([":"])) return null;
      if (!/^[0-9]+$/.test(token)) refuse("An index is a whole number or a colon.");
      this.at += 1;
      return Number(token);
    }
  };

  // --- entries.py: numbers in a row, rows, words ---------------------------------------------------------------------

  var ANDS = [" and ", "和", "与", "及"];

  function deepened(depth, character) {
    return depth + (character === "(" ? 1 : 0) - (character === ")" ? 1 : 0);
  }

  function endsWith(text, end) {
    return text.length >= end.length && text.slice(text.length - end.length) === end;
  }

  function unwrapped(text) {
    text = trimmed(text);
    if (endsWith(text, ")^T") || endsWith(text, ")T")) text = text.slice(0, text.lastIndexOf(")") + 1);
    var depth = 0;
    for (var at = 0; at < text.length; at += 1) {
      depth = deepened(depth, text[at]);
      if (depth === 0 && at < text.length - 1) return text;
    }
    return text[0] === "(" && endsWith(text, ")") ? unwrapped(text.slice(1, -1)) : text;
  }

  function pieces(text, separators) {
    var found = [""], depth = 0;
    for (var at = 0; at < text.length; at += 1) {
      depth = deepened(depth, text[at]);
      if (depth === 0 && separators.indexOf(text[at]) >= 0) found.push("");
      else found[found.length - 1] += text[at];
    }
    found = found.map(trimmed);
    return found.length > 1 && found[found.length - 1] === "" ? found.slice(0, -1) : found;
  }

  function listed(text, options) {
    var known = options.some(function (option) {
      return ANDS.some(function (word) { return option.indexOf(word) >= 0; });
    });
    if (known) return text;
    return ANDS.map(function (word) { return "," + word; }).concat(ANDS).reduce(function (found, word) {
      return replaced(found, word, ", ");
    }, text);
  }

  function marked(text) {
    return replaced(replaced(text, " ,", ";"), ", ", ";");
  }

  function spaced(text) {
    var found = "";
    for (var at = 0; at < text.length; at += 1) {
      var before = trimmedRight(found, " "), after = trimmedLeft(text.slice(at + 1), " ");
      var inside = before === "" || after === "" || ";+-*/^(,".indexOf(before[before.length - 1]) >= 0;
      inside = inside || "*/^),%".indexOf(after[0]) >= 0 || isFunction(before);
      if (after !== "" && "+-".indexOf(after[0]) >= 0 && after[1] === " ") inside = true;
      found += text[at] === " " && !inside ? ";" : text[at];
    }
    return found;
  }

  function isFunction(text) {
    return FUNCTIONS.indexOf(text.slice(trimmedRight(text, LETTERS).length).toLowerCase()) >= 0;
  }

  function solved(folded) {
    return folded.split("=").length === 2 ? folded.slice(folded.indexOf("=") + 1) : folded;
  }

  function numbersOf(folded, count) {
    var text = trimmedRight(unwrapped(listed(solved(folded), [])), ", ");
    if (text.indexOf(";") >= 0 || text.indexOf("\n") >= 0) return pieces(text, ";\n");
    var readings = [pieces(marked(text), ";"), pieces(spaced(text), ";"), pieces(text, ",")];
    var fitting = readings.filter(function (reading) { return reading.length === count; });
    var split = readings.filter(function (reading) { return reading.length > 1; });
    return fitting.concat(split, readings)[0];
  }

  function rowsOf(folded) {
    var text = unwrapped(solved(folded));
    var rows = pieces(text, /[|\n]/.test(text) ? "|\n" : ";");
    if (rows.length === 1) {
      var groups = pieces(replaced(replaced(text, ") (", "),("), ")(", "),("), ",");
      if (groups.every(function (group) { return group[0] === "(" && endsWith(group, ")"); })) rows = groups;
    }
    return rows.filter(function (row) { return row !== ""; }).map(function (row) {
      return unwrapped(trimmedRight(row, ",; "));
    });
  }

  function wordsOf(folded, options) {
    var text = replaced(replaced(listed(unwrapped(folded), options), "->", ">"), "=>", ">");
    var kinds = [",;|\n>", " ", "-"];
    for (var k = 0; k < kinds.length; k += 1) {
      var marks = kinds[k].split("");
      var inside = options.some(function (option) {
        return marks.some(function (mark) { return option.indexOf(mark) >= 0; });
      });
      if (!inside && marks.some(function (mark) { return text.indexOf(mark) >= 0; })) {
        var words = pieces(text, kinds[k]).filter(function (word) { return word !== ""; });
        return words.length ? words : [text];
      }
    }
    var short = options.every(function (option) { return option.length === 1; });
    if (text.length > 1 && short && trimmedLeft(text, DIGITS + LETTERS) === "") return text.split("");
    return text !== "" ? [text] : [];
  }

  // --- judge.py: verdicts --------------------------------------------------------------------------------------------

  var CLOSE = 20;
  var TIE = 5e-5;
  var YES = ["yes", "y", "right", "true"], NO = ["no", "n", "wrong", "false"];
  var MISSING = 9e99;
  var FOLLOWS = "Follows from your earlier answer: marks carried forward.";
  var NUMERIC = ["number", "vector", "matrix"];
  var NOTHING = ["none", "no", "nothing", "empty", "-", "()"];

  function judge(field, typed, earlier) {
    var verdict;
    try {
      var text = fold(typed);
      if (text === "") refuse("Nothing was typed.");
      verdict = completed(JUDGES[field.kind](field, text));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return completed({right: false, entries: [], message: error.message, understood: false, read: []});
    }
    return verdict.right ? verdict : considered(field, verdict, earlier || []);
  }

  function completed(verdict) {
    verdict.slip = null;
    verdict.carried = [];
    verdict.follows = false;
    return verdict;
  }

  function counted(entries) {
    return entries.filter(function (entry) { return entry; }).length;
  }

  function earned(field, verdict) {
    if (verdict.right || verdict.follows) return field.marks;
    if (!verdict.entries.length) return 0;
    return Math.floor(2 * field.marks * counted(verdict.entries) / verdict.entries.length) / 2;
  }

  function verdictOf(entries, read, wrong) {
    var count = counted(entries), right = count === entries.length;
    wrong = wrong || "Not right.";
    if (!right && entries.length > 1 && wrong === "Not right.") {
      wrong = count + " of " + entries.length + " entries " + (count === 1 ? "is" : "are") + " right.";
    }
    return {right: right, entries: entries, message: right ? "Right." : wrong, understood: true, read: read};
  }

  var THOUSANDS = /(?:^|[^0-9.,])([1-9][0-9]{0,2},[0-9]{3})(?:$|[^0-9.,])/;

  function compared(values, tolerances, read, texts) {
    var errors = read.map(function (x, k) { return Math.abs(x - values[k]); });
    var entries = errors.map(function (error, k) { return error <= tolerances[k]; });
    var doubtful = texts.map(function (text, k) { return entries[k] ? null : THOUSANDS.exec(text); }).filter(Boolean);
    if (doubtful.length) {
      var found = doubtful[0][1], whole = found.replace(",", "");
      var sentence = "“" + found + "” has a decimal comma: write " + whole + " if you mean the whole number.";
      return {right: false, entries: entries, message: sentence, understood: false, read: read};
    }
    var close = errors.every(function (error, k) { return error <= CLOSE * tolerances[k]; });
    return verdictOf(entries, read, close ? "Close, but not to the digits asked for." : "Not right.");
  }

  function count(texts, wanted, what) {
    if (texts.length !== wanted) {
      refuse(wanted + " " + what + (wanted !== 1 ? "s" : "") + " asked for, " + texts.length + " read.");
    }
  }

  function textsOf(text, wanted) {
    var texts = numbersOf(text, wanted);
    count(texts, wanted, "number");
    return texts;
  }

  function readAll(texts, percent) {
    return texts.map(function (entry, place) { return entryOf(place, entry, percent); });
  }

  function entryOf(place, text, percent) {
    try {
      return readNumber(text, percent);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return refuse("Entry " + (place + 1) + ": " + error.message);
    }
  }

  function flat(rows) {
    return [].concat.apply([], rows);
  }

  function scaled(upTo, values, tolerances, read) {
    var largest = 0;
    values.forEach(function (value, k) { if (Math.abs(value) > Math.abs(values[largest])) largest = k; });
    if (!upTo || values[largest] === 0) return [values, tolerances];
    var scale = read[largest] / values[largest];
    if (upTo !== "scale") scale = scale < 0 ? -1 : 1;
    if (scale === 0) return [values, tolerances];
    return [values.map(function (value) { return scale * value; }),
      tolerances.map(function (tolerance) { return Math.abs(scale) * tolerance; })];
  }

  function plain(word) {
    word = trimmed(replaced(replaced(word, "*", ""), "$", "").toLowerCase());
    return word[0] === "+" ? word.slice(1) : word;
  }

  function optionOf(word, options) {
    var asked = plain(word), known = options.map(plain), bare = trimmedRight(asked, ").");
    if (known.indexOf(asked) >= 0) return options[known.indexOf(asked)];
    var place = bare.length === 1 ? "abcdefghijklmnopqrstuvwxyz".indexOf(bare) : -1;
    var lettered = known.some(function (option) { return option.length > 3; });
    if (place >= 0 && place < options.length && lettered) return options[place];
    var starts = options.filter(function (_, k) {
      return known[k][0] >= "a" && known[k][0] <= "z" && known[k].indexOf(asked) === 0;
    });
    if (starts.length === 1 && asked !== "") return starts[0];
    return refuse("“" + word + "” is none of: " + options.join(", ") + ".");
  }

  function optionsOf(field, text) {
    return wordsOf(text, field.options).map(function (word) { return optionOf(word, field.options); });
  }

  function same(a, b) {
    var inside = function (list) { return function (word) { return list.indexOf(word) >= 0; }; };
    return a.every(inside(b)) && b.every(inside(a));
  }

  var JUDGES = {
    number: function (field, text) {
      return compared([field.value], [field.tolerance], [readNumber(text, field.percent)], [text]);
    },

    vector: function (field, text) {
      var texts = textsOf(text, field.value.length), read = readAll(texts, field.percent);
      var known = scaled(field.up_to, field.value, field.tolerance, read);
      return compared(known[0], known[1], read, texts);
    },

    matrix: function (field, text) {
      var rows = rowsOf(text);
      if (field.rows.length) {
        if (rows.length === 1 && field.rows.length > 1) {
          refuse("Put each row on a line of its own, or a semicolon between rows.");
        }
        count(rows, field.rows.length, "row");
      }
      var texts = rows.map(function (row) { return textsOf(row, field.columns.length); });
      var read = flat(texts.map(function (row) { return readAll(row, field.percent); }));
      if (rows.length !== field.value.length) {
        return verdictOf([false], read, "The number of rows is not right.");
      }
      return compared(flat(field.value), flat(field.tolerance), read, flat(texts));
    },

    choice: function (field, text) {
      var word = optionOf(text, field.options);
      return verdictOf([word === field.value], [word]);
    },

    sequence: function (field, text) {
      var read = optionsOf(field, text);
      count(read, field.value.length, "word");
      return verdictOf(read.map(function (word, k) { return word === field.value[k]; }), read);
    },

    set: function (field, text) {
      var read = NOTHING.indexOf(plain(text)) >= 0 ? [] : optionsOf(field, text);
      return verdictOf([same(read, field.value)], read);
    },

    groups: function (field, text) {
      var rows = rowsOf(text);
      count(rows, field.value.length, "group");
      var read = rows.map(function (row) { return optionsOf(field, row); });
      return verdictOf(read.map(function (group, k) { return same(group, field.value[k]); }), flat(read));
    },

    own: function (field, text) {
      if (YES.concat(NO).indexOf(plain(text)) < 0) refuse("Compare with the solution, then answer yes or no.");
      return verdictOf([YES.indexOf(plain(text)) >= 0], []);
    }
  };

  // An answer that is not right: whether it follows from earlier ones, or is a known slip.
  function considered(field, verdict, earlier) {
    var carried = field.follows === undefined ? [] : carriedOf(field, verdict, earlier);
    var some = carried.indexOf(true) >= 0;
    if (some) {
      verdict.entries = verdict.entries.map(function (entry, k) { return entry || carried[k]; });
      verdict.carried = carried;
      verdict.follows = counted(verdict.entries) === carried.length;
    }
    if (verdict.follows) {
      verdict.understood = true;
      verdict.message = FOLLOWS;
    }
    if (verdict.follows || !verdict.understood) return verdict;
    var slips = field.slips || [];
    for (var k = 0; k < slips.length; k += 1) {
      if (isSlip(field, verdict.read, slips[k])) {
        verdict.slip = k;
        verdict.message = slips[k].says;
        return verdict;
      }
    }
    if (some) {
      verdict.message = counted(verdict.entries) + " of " + carried.length +
        " entries are right or follow from your earlier answers.";
    }
    return verdict;
  }

  function listOf(value) {
    return Array.isArray(value) ? flat(value.map(listOf)) : [value];
  }

  function isSlip(field, read, slip) {
    var known = listOf(slip.value);
    if (field.kind === "set") return same(read, known);
    if (read.length !== known.length) return false;
    if (NUMERIC.indexOf(field.kind) < 0) return read.every(function (word, k) { return word === known[k]; });
    return within(field, known, read).every(Boolean);
  }

  function within(field, values, read) {
    var tolerances = values.map(function (value) { return allowed(field.precision, value); });
    var known = scaled(field.up_to, values, tolerances, read);
    return read.map(function (x, k) { return Math.abs(x - known[0][k]) <= known[1][k]; });
  }

  // Field.tolerance_at of the library.
  function allowed(precision, value) {
    if (precision.places === null && precision.digits === null) return 1e-6;
    var first = value ? Number(value.toExponential(12).split("e")[1]) : -1;
    var last = precision.places !== null ? -precision.places : first + 1 - precision.digits;
    return (0.5 + precision.carried) * Math.pow(10, last) * (1 + TIE);
  }

  function carriedOf(field, verdict, earlier) {
    var found = listOf(field.follows).map(function (expression) { return followed(expression, earlier); });
    var whole = found.every(function (one) { return one.value !== null; });
    var some = whole && found.some(function (one) { return one.wrong; });  // of a direction all entries follow or none
    var told = found.map(function (one) { return (field.up_to ? some : one.wrong) ? one.value : null; });
    if (told.every(function (value) { return value === null; })) return [];
    var right = asNumbers(field, listOf(field.value));
    var expected = told.map(function (value, k) { return value === null ? right[k] : value; });
    var read = asNumbers(field, verdict.read), agrees;
    if (field.kind === "set") {
      return [expected.every(function (value, k) { return (value !== 0) === (read[k] === 1); })];
    }
    if (verdict.read.length !== expected.length) return [];
    if (NUMERIC.indexOf(field.kind) >= 0) agrees = within(field, expected, read);
    else agrees = read.map(function (value, k) { return value === expected[k]; });
    if (field.up_to && !agrees.every(Boolean)) return [];
    return agrees.map(function (agree, k) { return agree && told[k] !== null && !verdict.entries[k]; });
  }

  function asNumbers(field, read) {
    if (NUMERIC.indexOf(field.kind) >= 0) return read;
    if (field.kind === "set") return field.options.map(function (option) { return read.indexOf(option) >= 0 ? 1 : 0; });
    return read.map(function (word) { return field.options.indexOf(word); });
  }

  function followed(expression, earlier) {
    if (expression === null) return {value: null, wrong: false};
    var wrong = false;
    try {
      var value = compute(expression, function (name, index) {
        var found = earlier.filter(function (pair) { return pair[0].name === name; })[0];
        if (!found) refuse("No earlier answer is called " + name + ".");
        var answer = student(found[0], found[1]), places = placesOf(found[0], index, answer.values.length);
        wrong = wrong || places.some(function (place) { return answer.off[place]; });
        return places.map(function (place) { return answer.values[place]; });
      });
      return {value: value, wrong: wrong};
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return {value: null, wrong: false};
    }
  }

  function student(field, verdict) {
    var right = asNumbers(field, listOf(field.value)), size = right.length;
    var whole = (verdict.read.length === size && verdict.entries.length === size) || field.kind === "set";
    if (!(verdict.understood && whole)) return {values: right, off: right.map(function () { return false; })};
    var read = asNumbers(field, verdict.read);
    if (field.kind === "set") return {values: read, off: read.map(function (value, k) { return value !== right[k]; })};
    var lost = read.map(function (value) { return value >= MISSING; });
    return {
      values: read.map(function (value, k) { return lost[k] ? right[k] : value; }),
      off: verdict.entries.map(function (entry, k) { return (!entry || Boolean(verdict.carried[k])) && !lost[k]; })
    };
  }

  function placesOf(field, index, count) {
    var isMatrix = field.kind === "matrix", width = isMatrix ? field.value[0].length : 1;
    var sizes = [count / width, width];
    if (!isMatrix && index.length === 2) sizes = index[0] === 0 ? [1, count] : [count, 1];
    if (!index.length) return range(count);
    if (index.length !== 2) sizes = [count];
    var outside = index.length > 2 || index.some(function (at, k) { return at !== null && at >= sizes[k]; });
    if (outside) refuse(field.name + " has no such entry.");
    var ranges = index.map(function (at, k) { return at === null ? range(sizes[k]) : [at]; });
    if (ranges.length === 1) return ranges[0];
    return flat(ranges[0].map(function (i) { return ranges[1].map(function (j) { return i * sizes[1] + j; }); }));
  }

  function range(count) {
    return Array.from({length: count}, function (_, k) { return k; });
  }

  return {judge: judge, earned: earned, readNumber: readNumber, fold: fold, compute: compute};
})();
if (typeof window !== "undefined") window.drillJudge = drillJudge;
