/** What every store behind the journal's interfaces must do, and fakes for it. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.journal;
