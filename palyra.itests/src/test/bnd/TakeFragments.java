import aQute.bnd.build.Workspace;
import aQute.bnd.wstemplates.FragmentTemplateEngine;
import aQute.bnd.wstemplates.FragmentTemplateEngine.TemplateInfo;
import aQute.bnd.wstemplates.FragmentTemplateEngine.TemplateUpdater;
import aQute.bnd.wstemplates.FragmentTemplateEngine.UpdateStatus;
import java.io.File;
import java.util.List;

/**
 * Makes a bnd workspace and takes all fragments of an index into it, with bnd on the class path.
 */
public final class TakeFragments {
    private TakeFragments() {}

    /** Takes the index file and the workspace folder to make. */
    public static void main(String[] arguments) throws Exception {
        File folder = new File(arguments[1]);
        try (Workspace workspace = Workspace.createWorkspace(folder)) {
            FragmentTemplateEngine engine = new FragmentTemplateEngine(workspace);
            List<TemplateInfo> fragments =
                    engine.read(new File(arguments[0]).toURI().toURL()).unwrap();
            try (TemplateUpdater updater = engine.updater(folder, fragments)) {
                if (updater.updaters().values().stream()
                        .flatMap(List::stream)
                        .anyMatch(update -> update.status() != UpdateStatus.WRITE)) {
                    throw new IllegalStateException("a new workspace has no conflicts");
                }
                updater.commit();
            }
            System.out.println("took " + fragments.stream().map(TemplateInfo::name).toList());
        }
        System.exit(0);
    }
}
