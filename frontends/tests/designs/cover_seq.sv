// Covers in and outside of processes.
// options: --cover
// expect: REACHED b0 (three:
// expect: UNREACHABLE b1 (four:
module top(input clk);
  reg [2:0] n = 0;
  always @(posedge clk) if (n < 3) n <= n + 1;
  three: cover property (n == 3);
  always @(posedge clk) four: cover (n == 4);
endmodule
