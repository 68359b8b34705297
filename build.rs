//! Adds the icon, the version and a manifest to the program if it is built for Windows.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=assets/icon/lab.ico");
    println!("cargo::rerun-if-changed=assets/windows/lab.manifest");
    if env::var_os("CARGO_CFG_WINDOWS").is_none() {
        return;
    }
    let mut resource = winresource::WindowsResource::new();
    resource.set_icon("assets/icon/lab.ico");
    resource.set_manifest_file("assets/windows/lab.manifest");
    if let Err(error) = resource.compile() {
        println!("cargo::warning=cannot add the icon, the version and the manifest: {error}");
    }
}
