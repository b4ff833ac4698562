// 200 questions that have nothing to do with a conversation between people: no memory should be injected.

export const unrelatedQuestions: readonly string[] = `
is 3 a prime number?
what is the boiling point of mercury?
convert 15 miles to kilometres
how do I reverse a linked list in C?
what does HTTP status 418 mean?
write a regular expression for an IPv4 address
what is the capital of Mongolia?
how many bytes are in a kibibyte?
explain the difference between TCP and UDP
what is the derivative of x squared?
who wrote Don Quixote?
how far is the moon from the earth?
what is the chemical symbol of potassium?
list the planets of the solar system
how do I exit vim?
what is a monad?
translate "thank you" into Finnish
what is the square root of 1764?
how does a transistor work?
what is the largest ocean?
give me a bash one-liner that counts files
what is the speed of light in vacuum?
when did the Berlin wall fall?
how many chromosomes does a human cell have?
what is photosynthesis?
sort these numbers: 9 4 7 1
what is the syntax of a Python lambda?
how do I undo a git commit?
what is the population of Iceland?
define entropy in thermodynamics
what is the hex code of pure red?
how do I mount an ISO image on Linux?
which element has atomic number 79?
what is an eigenvector?
how do magnets work?
explain garbage collection in Java
what is the currency of Vietnam?
how do I declare a const in Rust?
who discovered penicillin?
what is the longest river in Asia?
how many sides has a dodecahedron?
what is the difference between RAM and ROM?
how do I compile with debug symbols in gcc?
what is the Pythagorean theorem?
when was the printing press invented?
how do vaccines trigger immunity?
what is a deadlock in databases?
convert 72 fahrenheit to celsius
what is the plural of octopus?
how do I parse JSON in Go?
what is the tallest building in Dubai?
explain recursion with an example
what does the kernel scheduler do?
how many continents are there?
what is the ASCII code of A?
how is glass manufactured?
what is quicksort's worst case?
who painted Guernica?
what is the formula of sulfuric acid?
how do I create an index in PostgreSQL?
what is an asymptote?
which gas do plants absorb?
how does DNS resolution work?
what is the smallest prime above 100?
how do I set an environment variable in fish?
what is Kubernetes?
explain the CAP theorem
what is the atomic mass of carbon?
how many minutes are in a leap year?
what is the difference between == and === in JavaScript?
how does a refrigerator cool?
what is the binary form of 37?
who was the first emperor of Rome?
how do I merge two dictionaries in Python?
what is the melting point of tungsten?
what is a semaphore?
how do earthquakes form?
what is Ohm's law?
which language is spoken in Suriname?
how do I find the largest file in a directory?
what is a palindrome?
explain public key cryptography
what is the area of a circle with radius 5?
how does GPS determine a position?
what is the Fibonacci sequence?
when did Apollo 11 land?
how do I vectorize a loop in numpy?
what is the freezing point of ethanol?
what is a foreign key?
how many bones are in the human skeleton?
what is the difference between a stack and a queue?
how do I write a for loop in Lua?
what is the capital of Burkina Faso?
what is a black hole?
how do tides arise?
what is the Big O of binary search?
who composed The Four Seasons?
how do I strip whitespace in Perl?
what is an isotope?
what is the standard port of SSH?
how does a diesel engine ignite its fuel?
what is the cube of 12?
what is a hash collision?
explain the Doppler effect
how do I enable swap on Debian?
what is the official language of Ethiopia?
how many moons has Jupiter?
what is the integral of cosine?
what is a closure in programming?
how do I list open sockets?
what is the wavelength of green light?
who formulated the laws of planetary motion?
what is the difference between a virus and a bacterium?
how does public transport pricing use zones?
what is the unit of capacitance?
how do I escape quotes in SQL?
what is a Turing machine?
what is the half-life of uranium-238?
how many degrees are in a radian?
what is lazy evaluation?
how do I pad a string in Ruby?
what is the densest metal?
what is the difference between weather and climate?
how does a bloom filter work?
what is the Richter scale?
who invented the telephone?
what is the least common multiple of 12 and 18?
how do I check disk usage per folder?
what is an API gateway?
what is the function of the mitochondria?
how do I revert a docker image tag?
what is the orbital period of Neptune?
what is polymorphism?
how do I generate a UUID in PowerShell?
what is the difference between an acid and a base?
how many litres are in a gallon?
what is a pointer?
what is the Mariana trench?
how does noise cancelling work electronically?
what is a Gaussian distribution?
how do I cherry-pick a range of commits?
what is the capital of Kazakhstan?
what is the difference between latency and throughput?
how is steel made from iron?
what is the determinant of a 2x2 matrix?
who was Ada Lovelace?
what is the purpose of a checksum?
how do I forward a port with ssh?
what is the ozone layer?
what is a B-tree?
how many zeros has a googol?
what is the difference between a compiler and an interpreter?
how does fiber optic cable carry data?
what is the Krebs cycle?
how do I print in hexadecimal with printf?
what is the atomic number of helium?
what is a race condition?
how do I read a CSV in R?
what is plate tectonics?
what is the volume of a sphere?
how does a lithium battery store energy?
what is memoization?
who proved Fermat's last theorem?
what is the boiling point of nitrogen?
how do I create a symlink?
what is an inode?
how many electrons fit in the second shell?
what is the capital of Paraguay?
what is the difference between IPv4 and IPv6?
how does a nuclear reactor work?
what is modular arithmetic?
how do I profile a C++ program?
what is the viscosity of water?
what is a microservice?
how do I unzip a tarball?
what is the Coriolis force?
what is the difference between HTML and XML?
how many bits has an MD5 digest?
what is an algorithm?
how does an electric motor spin?
what is the golden ratio?
how do I list all users on Linux?
what is the periodic table?
what is a linked list?
who developed the theory of relativity?
what is the sum of the angles in a hexagon?
how do I enable gzip in nginx?
what is the difference between mass and weight?
what is a mutex?
how are diamonds formed?
what is the time complexity of merge sort?
how do I write a multi-line comment in Haskell?
what is absolute zero?
what is the main export of Chile?
how does radar measure distance?
what is a variable in algebra?
how do I escape HTML entities?
what is the acceleration of gravity?
what is a virtual machine?
how do I calculate a standard deviation?
`
  .trim()
  .split('\n')
