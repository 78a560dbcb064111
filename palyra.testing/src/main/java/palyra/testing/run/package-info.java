/** A recording observer for whoever tests what a run tells its followers. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.run;
