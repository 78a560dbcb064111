/** Fakes and the contract suites for tools and for executors of tools. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.testing.tool;
