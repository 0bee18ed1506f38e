// expect: SAFE b0
module rom(input [1:0] at);
  reg [3:0] words [0:3];
  initial begin words[0] = 1; words[1] = 2; words[2] = 4; words[3] = 8; end
  always @* assert ($countones(words[at]) == 1);
endmodule
