# Homebrew formula: brew install ./zee.rb
class Zee < Formula
  desc "Four programs that let language models act on a machine and leave receipts"
  homepage "@URL@"
  url "@URL@/zee-@VERSION@.tgz"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/zee --version")
  end
end
