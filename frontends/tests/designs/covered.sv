// options: --cover
// expect: REACHED b0 (three:
// expect: UNREACHABLE b1 (twelve:
module covered(input clk, input go);
  reg [3:0] count = 0;
  always @(posedge clk) if (go) count <= count == 9 ? 0 : count + 1;
  three: cover property (count == 3);
  twelve: cover property (count == 12);
  always @* assert (count != 5);
endmodule
