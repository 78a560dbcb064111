/** Fakes and the contract suite for model providers. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.testing.model;
