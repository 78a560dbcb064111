package palyra.policy.internal.cedar.value;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A set: no order, no duplicates, elements of any types. */
public final class SetValue implements Value {
    public static final SetValue EMPTY = new SetValue(Set.of());

    /** Up to so many elements a search through them is faster than hashing. */
    private static final int FEW = 4;

    private final Set<Value> members;
    private final Value[] elements;
    private final int hash;

    private SetValue(Set<Value> members) {
        this.members = members;
        this.elements = members.toArray(new Value[0]);
        this.hash = members.hashCode();
    }

    public static SetValue of(Collection<? extends Value> values) {
        return values.isEmpty() ? EMPTY : new SetValue(new LinkedHashSet<>(values));
    }

    public boolean isEmpty() {
        return elements.length == 0;
    }

    public int size() {
        return elements.length;
    }

    /** The element at a place of an arbitrary but fixed order. */
    public Value element(int place) {
        return elements[place];
    }

    public boolean contains(Value value) {
        if (elements.length > FEW) {
            return members.contains(value);
        }
        for (Value element : elements) {
            if (element.equals(value)) {
                return true;
            }
        }
        return false;
    }

    public boolean containsAll(SetValue other) {
        for (Value element : other.elements) {
            if (!contains(element)) {
                return false;
            }
        }
        return true;
    }

    public boolean containsAny(SetValue other) {
        for (Value element : other.elements) {
            if (contains(element)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String typeName() {
        return "set";
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof SetValue set
                        && hash == set.hash
                        && elements.length == set.elements.length
                        && containsAll(set));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return members.stream().map(Value::toString).collect(Collectors.joining(", ", "[", "]"));
    }
}
