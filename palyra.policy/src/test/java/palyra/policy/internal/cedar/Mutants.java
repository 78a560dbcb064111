package palyra.policy.internal.cedar;

import java.util.List;

/** Defects of meaning that somebody could make; each must be noticed by the recorded cases. */
final class Mutants {

    /**
     * A change of one place in one file.
     *
     * @param file below the package
     * @param from what stands there; any space stands for any white space, and it must occur once
     * @param to what stands there instead
     */
    record Mutant(String name, String file, String from, String to) {
        @Override
        public String toString() {
            return name;
        }
    }

    private Mutants() {}

    static List<Mutant> all() {
        return List.of(
                new Mutant(
                        "a forbid does not override",
                        "DecisionCollector",
                        "forbids.isEmpty() && !permits.isEmpty()",
                        "!permits.isEmpty()"),
                new Mutant(
                        "an erring policy counts as satisfied",
                        "DecisionCollector",
                        "errors = with(errors, new PolicyError(policy, e.getMessage()));",
                        "satisfied(policy);"),
                new Mutant(
                        "a policy found twice is named twice",
                        "DecisionCollector",
                        "return found.stream().distinct().toList(); } private static List<PolicyError>",
                        "return found; } private static List<PolicyError>"),
                new Mutant(
                        "containsAny is containsAll",
                        "expr/Sets",
                        "asSet(first).containsAny(asSet(second))",
                        "asSet(first).containsAll(asSet(second))"),
                new Mutant(
                        "containsAll is containsAny",
                        "expr/Sets",
                        "asSet(first).containsAll(asSet(second))",
                        "asSet(first).containsAny(asSet(second))"),
                new Mutant(
                        "instants are compared the other way",
                        "expr/Comparison",
                        "Long.compare(a.epochMillis(), b.epochMillis())",
                        "Long.compare(b.epochMillis(), a.epochMillis())"),
                new Mutant(
                        "durations are compared as if unsigned",
                        "expr/Comparison",
                        "Long.compare(a.millis(), b.millis())",
                        "Long.compareUnsigned(a.millis(), b.millis())"),
                new Mutant("<= is <", "expr/Comparison", "<= 0", "< 0"),
                new Mutant(
                        "== of different types is an error",
                        "expr/Comparison",
                        "return left.eval(env).equals(right.eval(env));",
                        "Value a = left.eval(env); Value b = right.eval(env);"
                                + " if (a.getClass() != b.getClass()) { throw mismatch(a, b); }"
                                + " return a.equals(b);"),
                new Mutant(
                        "in sees direct parents only",
                        "expr/Hierarchy",
                        "entity.ancestors().contains(above)",
                        "entity.parents().contains(above)"),
                new Mutant(
                        "an entity is not in itself",
                        "expr/Hierarchy",
                        "if (uid.equals(above))",
                        "if (false)"),
                new Mutant(
                        "in does not look at the type of every element",
                        "expr/Hierarchy",
                        "EntityUid above = Expr.asEntity(set.element(i));",
                        "if (!(set.element(i) instanceof EntityUid above)) { continue; }"),
                new Mutant(
                        "is ignores namespaces",
                        "expr/Hierarchy",
                        "asEntity(operand.eval(env)).type().equals(type)",
                        "(\"::\" + asEntity(operand.eval(env)).type()).endsWith(\"::\" + type)"),
                new Mutant(
                        "is … in forgets the type",
                        "ExprCompiler",
                        "List.of(is, new Hierarchy.In(operand, child(body, \"in\")))",
                        "List.of(new Hierarchy.In(operand, child(body, \"in\")))"),
                new Mutant(
                        "a sum wraps around",
                        "expr/Arithmetic",
                        "((a ^ sum) & (b ^ sum)) < 0",
                        "false"),
                new Mutant(
                        "a difference wraps around",
                        "expr/Arithmetic",
                        "((a ^ b) & (a ^ difference)) < 0",
                        "false"),
                new Mutant(
                        "a product wraps around",
                        "expr/Arithmetic",
                        "Math.multiplyHigh(a, b) != product >> 63",
                        "false"),
                new Mutant(
                        "the least number can be negated",
                        "expr/Arithmetic",
                        "if (a == Long.MIN_VALUE)",
                        "if (false)"),
                new Mutant(
                        "&& evaluates everything",
                        "expr/Logic",
                        "for (Expr part : parts) { if (!part.test(env)) { return false; } } return true;",
                        "boolean all = true; for (Expr part : parts) { all &= part.test(env); } return all;"),
                new Mutant(
                        "|| evaluates everything",
                        "expr/Logic",
                        "for (Expr part : parts) { if (part.test(env)) { return true; } } return false;",
                        "boolean any = false; for (Expr part : parts) { any |= part.test(env); } return any;"),
                new Mutant(
                        "a constant that is no boolean vanishes from a chain",
                        "Folding",
                        "if (!(known instanceof BoolValue))",
                        "if (known == null)"),
                new Mutant(
                        "a constant that fails is false",
                        "Folding",
                        "catch (EvaluationException e) { return expr;",
                        "catch (EvaluationException e) { return new Literal(BoolValue.FALSE);"),
                new Mutant(
                        "has on an absent entity is an error",
                        "expr/Attributes",
                        "return entity != null && entity.attributes().has(name);",
                        "return existing(uid, env).attributes().has(name);"),
                new Mutant(
                        "hasTag on an absent entity is an error",
                        "expr/Attributes",
                        "return entity != null && entity.tags().has(name);",
                        "return existing(uid, env).tags().has(name);"),
                new Mutant(
                        "a tag that is not there is false",
                        "expr/Attributes",
                        "throw absent(uid, \"tag\", name);",
                        "return palyra.policy.internal.cedar.value.BoolValue.FALSE;"),
                new Mutant(
                        "tags are attributes",
                        "expr/Attributes",
                        "entity.tags().has(name)",
                        "entity.attributes().has(name)"),
                new Mutant(
                        "like forgets where the end begins",
                        "expr/Like",
                        "found < 0 || found + texts[i].length() > end",
                        "found < 0"),
                new Mutant(
                        "like lets beginning and end overlap",
                        "expr/Like",
                        "end < first.length() || !text.startsWith(first)",
                        "!text.startsWith(first)"),
                new Mutant(
                        "an escaped star is a star",
                        "ExprCompiler",
                        "text.append(Json.text(part, \"Literal\", place));",
                        "if (Json.text(part, \"Literal\", place).equals(\"*\")) {"
                                + " texts.add(text.toString()); text.setLength(0); } else {"
                                + " text.append(Json.text(part, \"Literal\", place)); }"),
                new Mutant(
                        "sets are equal only in the same order",
                        "value/SetValue",
                        "elements.length == set.elements.length && containsAll(set)",
                        "java.util.Arrays.equals(elements, set.elements)"),
                new Mutant(
                        "time of day before 1970 is negative",
                        "value/DateTimeValue",
                        "Math.floorMod(epochMillis, DAY_MILLIS)",
                        "epochMillis % DAY_MILLIS"),
                new Mutant(
                        "days before 1970 are rounded up",
                        "value/DateTimeValue",
                        "Math.floorDiv(epochMillis, DAY_MILLIS)",
                        "epochMillis / DAY_MILLIS"),
                new Mutant(
                        "zones count the other way",
                        "value/DateTimeText",
                        "? -millis : millis",
                        "? millis : -millis"),
                new Mutant(
                        "a minute has the length of a second",
                        "value/DurationValue",
                        "60_000, 1_000, 1}",
                        "1_000, 1_000, 1}"),
                new Mutant(
                        "a negative duration is only negative in its first part",
                        "value/DurationValue",
                        "Long.parseLong(sign + digits)",
                        "Long.parseLong(unit == 0 ? sign + digits : digits)"),
                new Mutant(
                        "whole seconds are rounded down",
                        "expr/ExtensionFunction",
                        "new LongValue(duration(v).millis() / 1_000)",
                        "new LongValue(Math.floorDiv(duration(v).millis(), 1_000))"),
                new Mutant(
                        "decimals are cut instead of refused",
                        "value/DecimalValue",
                        "String fraction = form.group(3);",
                        "String fraction = form.group(3).substring(0,"
                                + " Math.min(4, form.group(3).length()));"),
                new Mutant(
                        "the sign of a decimal below one is lost",
                        "value/DecimalValue",
                        "Long.parseLong(sign + form.group(2) + fraction + padding)",
                        "Long.parseLong(sign + form.group(2)) * 10_000"
                                + " + Long.parseLong(sign.isEmpty() || !form.group(2).equals(\"0\")"
                                + " ? sign + fraction + padding : fraction + padding)"),
                new Mutant(
                        "loopback ignores the prefix",
                        "value/IpValue",
                        "low >>> 24 == 127 && prefix >= 8",
                        "low >>> 24 == 127"),
                new Mutant(
                        "multicast ignores the prefix",
                        "value/IpValue",
                        "low >>> 28 == 0xE && prefix >= 4",
                        "low >>> 28 == 0xE"),
                new Mutant(
                        "IPv4 and IPv6 are one family",
                        "value/IpValue",
                        "v4 != other.v4 || prefix < other.prefix",
                        "prefix < other.prefix"),
                new Mutant(
                        "a wider range lies in a narrower one",
                        "value/IpValue",
                        "v4 != other.v4 || prefix < other.prefix",
                        "v4 != other.v4"),
                new Mutant(
                        "the lower half of IPv6 is not compared",
                        "value/IpValue",
                        "&& same(low, other.low, Math.max(other.prefix - 64, 0))",
                        ""),
                new Mutant(
                        "leading zeros in IPv4 are accepted",
                        "value/IpText",
                        "(part.length() > 1 && part.charAt(0) == '0')",
                        "false"),
                new Mutant(
                        "slots of a template are swapped",
                        "ScopeReader",
                        "List.of(slots.get(slot))",
                        "List.of(slots.getOrDefault(slot.equals(\"?principal\") ? \"?resource\""
                                + " : \"?principal\", slots.get(slot)))"),
                new Mutant(
                        "a second unless is a when",
                        "PolicyReader",
                        "boolean when = isWhen(Json.text(condition, \"kind\", place), place);",
                        "boolean when = !conjuncts.isEmpty()"
                                + " || isWhen(Json.text(condition, \"kind\", place), place);"),
                new Mutant(
                        "only the first of several actions counts",
                        "ScopeReader",
                        "Json.array(node.get(\"entities\"), place)"
                                + ".forEach(e -> uids.add(Json.uid(e, place)));",
                        "uids.add(Json.uid(node.get(\"entities\").get(0), place));"),
                new Mutant(
                        "the index forgets ancestors",
                        "PolicyIndex",
                        "tally.addAll(index.get(ancestor), env);",
                        ""),
                new Mutant(
                        "the index forgets types",
                        "PolicyIndex",
                        "if (!index.isEmpty()) { tally.addAll(index.get(type), env); }",
                        ""),
                new Mutant(
                        "a scope's type is not tested together with in",
                        "ScopeTest",
                        "uid.type().equals(type) && isInAny(uid, env)",
                        "isInAny(uid, env)"));
    }
}
