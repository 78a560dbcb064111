package palyra.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/** What tells people around in the house: the maps of docs/architecture.md and package-info. */
public class HouseMapsTest {
    @Test
    public void theMapsShowWhatWasBuilt() throws IOException {
        String page = Files.readString(HouseMaps.PAGE);
        assertEquals(
                HouseMaps.PAGE + " is not current; run scripts/update-maps.sh",
                HouseMaps.current(page, BuiltBundle.all()),
                page);
    }

    @Test
    public void theTableOfPackagesShowsTheApi() throws IOException {
        String page = Files.readString(HouseMaps.API_PAGE);
        assertEquals(
                HouseMaps.API_PAGE + " is not current; run scripts/update-maps.sh",
                HouseMaps.currentApi(page),
                page);
        assertTrue(page.contains("| `palyra.api.tool` | "));
        assertTrue(page.contains("| `Tool` |"));
    }

    @Test
    public void aBundleThatIsGoneChangesBothMaps() throws IOException {
        List<BuiltBundle> fewer =
                BuiltBundle.all().stream().filter(b -> !b.name().equals("palyra.journal")).toList();
        String page = Files.readString(HouseMaps.PAGE);
        String without = HouseMaps.current(page, fewer);
        assertNotEquals(page, without);
        assertTrue(page.contains(" --> journal[") && page.contains(" | access, journal"));
        assertFalse(without.contains(" --> journal["));
        assertFalse(without.contains(" | access, journal"));
    }

    @Test
    public void everyPackageSaysWhatItIsFor() throws IOException {
        Set<String> silent = new TreeSet<>();
        int packages = 0;
        for (Path module : BuiltBundle.modules()) {
            for (Path folder : packages(module.resolve("src/main/java"))) {
                packages++;
                if (!Files.exists(folder.resolve("package-info.java"))) {
                    silent.add(BuiltBundle.root().relativize(folder).toString());
                }
            }
        }
        assertTrue("packages that were found: " + packages, packages > 100);
        assertEquals("write a package-info.java into each of these", Set.of(), silent);
    }

    @Test
    public void theWalkNamesClassesThatThereAre() throws IOException {
        String page = Files.readString(HouseMaps.PAGE);
        String walk = page.substring(page.indexOf("## Four questions"), page.indexOf("## Seams"));
        Set<String> named =
                Pattern.compile("`((?:[a-z]+/)*[A-Z][A-Za-z]+)[`.]")
                        .matcher(walk)
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertTrue("classes that were found: " + named, named.size() > 15);
        for (Path module : BuiltBundle.modules()) {
            for (Path folder : packages(module.resolve("src/main/java"))) {
                named.removeIf(name -> isIn(folder, name));
            }
        }
        assertEquals("correct the walk in " + HouseMaps.PAGE, Set.of(), named);
    }

    /**
     * Returns whether a folder ends with that of a name such as engine/tool/ToolSteps and has it.
     */
    private static boolean isIn(Path folder, String name) {
        Path named = Path.of(name + ".java");
        return (named.getParent() == null || folder.endsWith(named.getParent()))
                && Files.exists(folder.resolve(named.getFileName()));
    }

    private static Set<Path> packages(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .collect(Collectors.toSet());
        }
    }
}
