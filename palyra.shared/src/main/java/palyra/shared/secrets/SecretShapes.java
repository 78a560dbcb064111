package palyra.shared.secrets;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds secrets by how they look: tokens with a prefix, a checksum or a structure of their own, and
 * values with a telling name before them. Time is linear in the length of a text; nothing is ever
 * matched backwards. Immutable and thread-safe.
 */
public final class SecretShapes {
    private static final int ASCII = 128;

    private static final class Standard {
        private static final SecretShapes ALL = new SecretShapes(ShapeReader.all());
    }

    private final List<Shape> shapes;
    private final Shape[][] byFirst;

    private SecretShapes(List<Shape> shapes) {
        this.shapes = List.copyOf(shapes);
        this.byFirst = byFirst(this.shapes);
    }

    /** Returns every shape there is. */
    public static SecretShapes standard() {
        return Standard.ALL;
    }

    /** Returns these shapes without some kinds; unknown names are ignored. */
    public SecretShapes without(Collection<String> kinds) {
        return kinds.isEmpty()
                ? this
                : new SecretShapes(
                        shapes.stream().filter(shape -> !kinds.contains(shape.kind())).toList());
    }

    /** Returns the names of the kinds. */
    public Set<String> kinds() {
        return shapes.stream()
                .map(Shape::kind)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Shape[][] byFirst(List<Shape> shapes) {
        List<Set<Shape>> table = new ArrayList<>(ASCII);
        for (int c = 0; c < ASCII; c++) {
            table.add(new LinkedHashSet<>());
        }
        for (Shape shape : shapes) {
            String firsts = shape.firsts();
            for (int i = 0; i < firsts.length(); i++) {
                if (firsts.charAt(i) < ASCII) {
                    table.get(firsts.charAt(i)).add(shape);
                }
            }
        }
        return table.stream().map(at -> at.toArray(new Shape[0])).toArray(Shape[][]::new);
    }

    /** Returns the matches in a text, by start, without overlaps. */
    public List<SecretMatch> find(CharSequence text) {
        List<SecretMatch> found = new ArrayList<>();
        scan().run(text, 0, true, found);
        return found;
    }

    Scan scan() {
        return new Scan(byFirst);
    }
}
