/** A recording observer for tests of the events of a run. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.run;
